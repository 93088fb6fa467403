import CYaml
import Text

/// Builds a tree from libyaml's events, without recursion.
struct YAMLTreeBuilder: ~Copyable {
    enum Progress {
        case `continue`, done
        /// An error after which the remaining events would be misinterpreted.
        case failed
    }

    /// An open collection.
    private struct Frame {
        let isMapping: Bool
        /// A Boolean value that indicates whether the value of the last key follows.
        var hasKey = false
        let start: Int
        /// The index of its first element or member among those of all open collections.
        let base: Int
        /// The source range of its last value. Empty before the first value.
        var lastStart = 0
        var lastEnd = 0
        /// The number of its nodes, including itself, with each alias counted as the nodes of its anchor.
        var weight = 1
    }

    let file: SourceFile
    let offsets: CharacterOffsets
    var diagnostics = Diagnostics()
    private(set) var root: YAMLNode?
    private var frames: [Frame] = []
    // The children of all open collections. An array is created when a collection is closed and its size is known.
    private var elements = NodeStack<YAMLNode>()
    private var members = NodeStack<YAMLMember>()
    /// The keys of open mappings whose values follow, outermost first. A rejected key, whose value is ignored, is `nil`.
    private var keys: [(name: String, span: Span)?] = []
    /// The names in large open mappings by depth. Smaller mappings are searched linearly.
    private var names: [Int: Set<String>] = [:]
    private var anchors: [String: (node: YAMLNode, weight: Int)] = [:]
    /// The anchors of open collections, by depth.
    private var openAnchors: [Int: String] = [:]
    private var aliasedNodes = 0
    private var documents = 0

    init(file: SourceFile, offsets: CharacterOffsets) {
        self.file = file
        self.offsets = offsets
    }

    mutating func handle(_ event: yaml_event_t) -> Progress {
        switch event.type {
        case YAML_SCALAR_EVENT: return scalar(event)
        case YAML_MAPPING_START_EVENT:
            return open(event, isMapping: true, event.data.mapping_start.anchor, event.data.mapping_start.tag)
        case YAML_SEQUENCE_START_EVENT:
            return open(event, isMapping: false, event.data.sequence_start.anchor, event.data.sequence_start.tag)
        case YAML_MAPPING_END_EVENT, YAML_SEQUENCE_END_EVENT: return close(event)
        case YAML_ALIAS_EVENT: return alias(event)
        case YAML_DOCUMENT_START_EVENT: return document(event)
        case YAML_STREAM_END_EVENT: return .done
        default: return .continue
        }
    }

    private func span(_ event: yaml_event_t) -> Span {
        let start = offsets.byte(of: event.start_mark)
        return Span(file: file, range: start..<max(start, offsets.byte(of: event.end_mark)))
    }

    private mutating func fail(_ message: String, at span: Span, hint: String? = nil) -> Progress {
        diagnostics.error(message, at: span, hint: hint)
        return .failed
    }

    private mutating func document(_ event: yaml_event_t) -> Progress {
        documents += 1
        guard documents > 1 else { return .continue }
        let start = offsets.byte(of: event.start_mark)
        return fail(
            "expected one document, found a second one", at: Span(file: file, range: start..<start + 3),
            hint: "use one file for each document")
    }
}

extension YAMLTreeBuilder {
    private mutating func scalar(_ event: yaml_event_t) -> Progress {
        let data = event.data.scalar
        let text = String(decoding: UnsafeBufferPointer(start: data.value, count: data.length), as: UTF8.self)
        var style = Self.style(data.style)
        if let tag = Self.string(data.tag) {
            guard tag == "tag:yaml.org,2002:str" else { return fail(tag: tag, event) }
            if style == .plain { style = .doubleQuoted }
        }
        var span = span(event)
        if style == .literal || style == .folded { span = trimmed(span) }
        let node = YAMLNode(.scalar(YAMLScalar(text, style: style)), span: span)
        if let anchor = Self.string(data.anchor) { anchors[anchor] = (node, 1) }
        return add(consume node)
    }

    private mutating func open(
        _ event: yaml_event_t, isMapping: Bool, _ anchor: UnsafeMutablePointer<yaml_char_t>?,
        _ tag: UnsafeMutablePointer<yaml_char_t>?
    ) -> Progress {
        if let frame = frames.last, frame.isMapping, !frame.hasKey {
            return fail(
                "expected a name before ':', found a collection", at: start(of: event),
                hint: "quote a string that starts with '{'; an expression is '${{ … }}'")
        }
        guard frames.count < YAMLParser.maximumDepth else {
            return fail("nested more than \(YAMLParser.maximumDepth) levels deep", at: start(of: event))
        }
        if let tag = Self.string(tag) { return fail(tag: tag, event) }
        if let anchor = Self.string(anchor) { openAnchors[frames.count] = anchor }
        let start = offsets.byte(of: event.start_mark)
        let base = isMapping ? members.count : elements.count
        frames.append(Frame(isMapping: isMapping, start: start, base: base))
        return .continue
    }

    private mutating func close(_ event: yaml_event_t) -> Progress {
        guard let frame = frames.popLast() else { return .continue }
        let content: YAMLNode.Content =
            frame.isMapping ? .mapping(members.pop(from: frame.base)) : .sequence(elements.pop(from: frame.base))
        let isFlow = event.end_mark.index > event.start_mark.index
        var end = offsets.byte(of: event.end_mark)
        if !isFlow {
            // If the last value is an alias, its range is that of the anchored node.
            if frame.lastEnd > 0, frame.lastStart >= frame.start, frame.lastEnd <= end {
                end = frame.lastEnd
            } else {
                end = trimmed(Span(file: file, range: frame.start..<max(end, frame.start))).range.upperBound
            }
        }
        let node = YAMLNode(content, span: Span(file: file, range: frame.start..<max(end, frame.start)))
        if !names.isEmpty { names[frames.count] = nil }
        if !openAnchors.isEmpty, let anchor = openAnchors.removeValue(forKey: frames.count) {
            anchors[anchor] = (node, frame.weight)
        }
        return add(consume node, weight: frame.weight)
    }

    private mutating func alias(_ event: yaml_event_t) -> Progress {
        let name = Self.string(event.data.alias.anchor) ?? ""
        guard let target = anchors[name] else {
            let isOpen = openAnchors.values.contains(name)
            let near = nearest(to: name, among: anchors.keys.sorted())
            return fail(
                isOpen ? "'*\(name)' refers to a node that contains it" : "no anchor '&\(name)' before this",
                at: span(event), hint: near.map { "did you mean '*\($0)'?" })
        }
        aliasedNodes += target.weight
        guard aliasedNodes <= YAMLParser.maximumAliasedNodes else {
            return fail(
                "aliases add more than \(YAMLParser.maximumAliasedNodes) nodes", at: span(event),
                hint: "write out the values")
        }
        return add(target.node, weight: target.weight, keySpan: span(event))
    }

    private mutating func add(_ node: consuming YAMLNode, weight: Int = 1, keySpan: Span? = nil) -> Progress {
        guard !frames.isEmpty else {
            root = consume node
            return .continue
        }
        let last = frames.count - 1
        frames[last].weight += weight
        guard !frames[last].isMapping || frames[last].hasKey else {
            return key(node, at: keySpan ?? node.span ?? Span(file: file, range: 0..<0))
        }
        if let range = node.span?.range {
            frames[last].lastStart = range.lowerBound
            frames[last].lastEnd = range.upperBound
        }
        if frames[last].isMapping {
            if let key = keys.removeLast() {
                members.push(YAMLMember(name: key.name, nameSpan: key.span, value: consume node))
            }
            frames[last].hasKey = false
        } else {
            elements.push(consume node)
        }
        return .continue
    }

    private mutating func key(_ node: YAMLNode, at span: Span) -> Progress {
        guard let scalar = node.scalar else {
            return fail("expected a name before ':', found \(node.kind)", at: span)
        }
        if scalar.style == .plain, scalar.text.isEmpty { return fail("expected a name before ':'", at: span) }
        frames[frames.count - 1].hasKey = true
        if scalar.style == .plain, scalar.text == "<<" {
            keys.append(nil)
            diagnostics.error("merge keys are not part of YAML 1.2", at: span, hint: "write out the members")
            return .continue
        }
        if !insertName(scalar.text) {
            let first = memberIndex(of: scalar.text).flatMap { members[$0].nameSpan }
            let isElement = frames.count > 1 && !frames[frames.count - 2].isMapping
            diagnostics.error(
                "duplicate key '\(scalar.text)'", at: span,
                hint: isElement ? "start a new element with '- '" : "remove one of them",
                note: .init("first defined here", at: first))
        }
        keys.append((scalar.text, span))
        return .continue
    }

    /// Returns the index in `members` of a member of the innermost open mapping.
    private func memberIndex(of name: String) -> Int? {
        members.firstIndex(from: frames[frames.count - 1].base) { $0.name == name }
    }

    /// Records a name in the innermost open mapping. Returns `false` if the mapping already contains the name.
    private mutating func insertName(_ name: String) -> Bool {
        let depth = frames.count - 1
        let own = frames[depth].base..<members.count
        guard own.count >= 8 else { return memberIndex(of: name) == nil }
        if names[depth] == nil { names[depth] = Set(own.map { members[$0].name }) }
        return names[depth]?.insert(name).inserted != false
    }
}

extension YAMLTreeBuilder {
    private mutating func fail(tag: String, _ event: yaml_event_t) -> Progress {
        let isStandard = tag.hasPrefix("tag:yaml.org,2002:")
        let shown = isStandard ? "!!" + tag.dropFirst("tag:yaml.org,2002:".count) : tag
        return fail(
            "expected no tag, found '\(shown)'", at: start(of: event),
            hint: isStandard ? "quote the value to make it a string" : "quote a string that starts with '!'")
    }

    private func start(of event: yaml_event_t) -> Span {
        let start = offsets.byte(of: event.start_mark)
        return Span(file: file, range: start..<min(start + 1, file.bytes.count))
    }

    /// Returns the span without trailing white space, which libyaml includes.
    private func trimmed(_ span: Span) -> Span {
        var end = span.range.upperBound
        while end > span.range.lowerBound, file.bytes[end - 1].isSpace { end -= 1 }
        return Span(file: file, range: span.range.lowerBound..<end)
    }

    private static func string(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        pointer.map { String(cString: $0) }
    }

    private static func style(_ style: yaml_scalar_style_t) -> YAMLScalar.Style {
        switch style {
        case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
        case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
        case YAML_LITERAL_SCALAR_STYLE: .literal
        case YAML_FOLDED_SCALAR_STYLE: .folded
        default: .plain
        }
    }
}
