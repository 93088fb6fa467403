import CYaml
import Diagnostics

/// Puts libyaml's events together to a tree, without recursion.
struct YAMLTreeBuilder: ~Copyable {
    enum Progress {
        case goOn, done
        /// What follows could only be misunderstood.
        case refused
    }

    /// A collection whose end has not come yet.
    private struct Frame {
        let isMapping: Bool
        /// Whether a key waits for its value.
        var hasKey = false
        let start: Int
        /// Where its elements or members begin among those of all open collections.
        let base: Int
        /// Where its last value stands; empty before the first.
        var lastStart = 0
        var lastEnd = 0
        /// How many nodes it holds, itself included and aliases counted as what they stand for.
        var weight = 1
    }

    let file: SourceFile
    let offsets: CharacterOffsets
    var diagnostics = Diagnostics()
    private(set) var root: YAMLNode?
    private var frames: [Frame] = []
    // What the open collections hold so far: theirs, one behind the other, so that each is made once, in its size.
    private var elements = NodeStack<YAMLNode>()
    private var members = NodeStack<YAMLMember>()
    /// Of the open mappings that have one waiting, from outside in.
    private var keys: [(name: String, span: Span)] = []
    /// The names of open mappings too long to be searched one by one, by depth.
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

    mutating func take(_ event: yaml_event_t) -> Progress {
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
        default: return .goOn
        }
    }

    private func span(_ event: yaml_event_t) -> Span {
        let start = offsets.byte(of: event.start_mark)
        return Span(file: file, range: start..<max(start, offsets.byte(of: event.end_mark)))
    }

    private mutating func refuse(_ message: String, at span: Span, hint: String? = nil) -> Progress {
        diagnostics.error(message, at: span, hint: hint)
        return .refused
    }

    private mutating func document(_ event: yaml_event_t) -> Progress {
        documents += 1
        guard documents > 1 else { return .goOn }
        let start = offsets.byte(of: event.start_mark)
        return refuse(
            "expected one document, found a second one", at: Span(file: file, range: start..<start + 3),
            hint: "put each document into a file of its own")
    }
}

extension YAMLTreeBuilder {
    private mutating func scalar(_ event: yaml_event_t) -> Progress {
        let data = event.data.scalar
        let text = String(decoding: UnsafeBufferPointer(start: data.value, count: data.length), as: UTF8.self)
        var style = Self.style(data.style)
        if let tag = Self.string(data.tag) {
            guard tag == "tag:yaml.org,2002:str" || tag == "!" else { return refuse(tag: tag, event) }
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
            return refuse("expected a name before ':', found a collection", at: start(of: event))
        }
        guard frames.count < YAMLParser.deepest else {
            return refuse("nested more than \(YAMLParser.deepest) levels deep", at: start(of: event))
        }
        if let tag = Self.string(tag) { return refuse(tag: tag, event) }
        if let anchor = Self.string(anchor) { openAnchors[frames.count] = anchor }
        let start = offsets.byte(of: event.start_mark)
        let base = isMapping ? members.count : elements.count
        frames.append(Frame(isMapping: isMapping, start: start, base: base))
        return .goOn
    }

    private mutating func close(_ event: yaml_event_t) -> Progress {
        guard let frame = frames.popLast() else { return .goOn }
        let content: YAMLNode.Content =
            frame.isMapping ? .mapping(members.pop(from: frame.base)) : .sequence(elements.pop(from: frame.base))
        let isFlow = event.end_mark.index > event.start_mark.index
        var end = offsets.byte(of: event.end_mark)
        if !isFlow {
            // A last value that is an alias stands elsewhere.
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
            return refuse(
                isOpen ? "'*\(name)' stands inside what it stands for" : "no anchor '&\(name)' stands before this",
                at: span(event), hint: near.map { "did you mean '*\($0)'?" })
        }
        aliasedNodes += target.weight
        guard aliasedNodes <= YAMLParser.mostAliasedNodes else {
            return refuse(
                "aliases make the file more than \(YAMLParser.mostAliasedNodes) nodes larger", at: span(event),
                hint: "write out what is meant")
        }
        return add(target.node, weight: target.weight, keySpan: span(event))
    }

    private mutating func add(_ node: consuming YAMLNode, weight: Int = 1, keySpan: Span? = nil) -> Progress {
        guard !frames.isEmpty else {
            root = consume node
            return .goOn
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
            let key = keys.removeLast()
            members.push(YAMLMember(name: key.name, nameSpan: key.span, value: consume node))
            frames[last].hasKey = false
        } else {
            elements.push(consume node)
        }
        return .goOn
    }

    private mutating func key(_ node: YAMLNode, at span: Span) -> Progress {
        guard let scalar = node.scalar else {
            return refuse("expected a name before ':', found \(node.kind)", at: span)
        }
        if scalar.style == .plain, scalar.text.isEmpty { return refuse("expected a name before ':'", at: span) }
        if scalar.style == .plain, scalar.text == "<<" {
            diagnostics.error("merge keys are not part of YAML 1.2", at: span, hint: "write the members out")
        } else if isTaken(scalar.text) {
            let first = place(of: scalar.text).flatMap { members[$0].nameSpan }
            diagnostics.add(
                Diagnostic(
                    .error, "the key '\(scalar.text)' is given twice", at: span,
                    notes: [Diagnostic.Note("first given here", at: first)]))
        }
        frames[frames.count - 1].hasKey = true
        keys.append((scalar.text, span))
        return .goOn
    }

    /// Where a member of the open mapping is among the members.
    private func place(of name: String) -> Int? {
        members.firstIndex(from: frames[frames.count - 1].base) { $0.name == name }
    }

    /// Whether the open mapping has the name already; remembers it in either case.
    private mutating func isTaken(_ name: String) -> Bool {
        let depth = frames.count - 1
        let own = frames[depth].base..<members.count
        guard own.count >= 8 else { return place(of: name) != nil }
        if names[depth] == nil { names[depth] = Set(own.map { members[$0].name }) }
        return names[depth]?.insert(name).inserted == false
    }
}

extension YAMLTreeBuilder {
    private mutating func refuse(tag: String, _ event: yaml_event_t) -> Progress {
        let isStandard = tag.hasPrefix("tag:yaml.org,2002:")
        let shown = isStandard ? "!!" + tag.dropFirst("tag:yaml.org,2002:".count) : tag
        return refuse(
            "expected no tag, found '\(shown)'", at: start(of: event),
            hint: isStandard ? "quote a value to make it text" : "put a text that begins with '!' in quotes")
    }

    private func start(of event: yaml_event_t) -> Span {
        let start = offsets.byte(of: event.start_mark)
        return Span(file: file, range: start..<min(start + 1, file.bytes.count))
    }

    /// Without the white space at the end, which libyaml counts in.
    private func trimmed(_ span: Span) -> Span {
        var end = span.range.upperBound
        while end > span.range.lowerBound, [0x20, 0x0A, 0x0D, 0x09].contains(file.bytes[end - 1]) { end -= 1 }
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
