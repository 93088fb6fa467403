package import Text
import YAML

/// Functions that decode and check lane files.
package enum LaneFiles {
    /// Checks all files together and reports all errors.
    ///
    /// The name of a lane is the name of its file without the extension. Lanes can include files whose names start with
    /// `_`.
    ///
    /// - Parameters:
    ///   - builtInActions: The schemas of the built-in actions.
    ///   - actions: The schemas of the package's executables.
    ///   - reserved: The names that lanes cannot have.
    ///   - unread: The files that could not be read, which the caller reports.
    ///   - undescribed: The names of executables without a description, which the caller reports.
    ///   - imports: The lane files and actions of other repositories.
    ///   - builtIn: The built-in lanes, which files and aliases of the same names replace.
    ///   - requested: The words of a command line that can be names of built-in lanes, or `nil` for all built-in lanes.
    ///     Built-in lanes that are neither requested nor used by other lanes are omitted.
    package static func check(
        _ sources: [SourceFile], with builtInActions: [ActionSchema], unread: [SourceFile] = [],
        actions: [ActionSchema] = [], undescribed: Set<String> = [], reserved: Set<String> = [],
        imports: [LaneImport] = [],
        builtIn: [SourceFile] = [], requested: Set<String>? = nil
    ) -> CheckedLaneFiles {
        var check = LaneFilesCheck(
            builtInActions, actions: actions, undescribed: undescribed, reserved: reserved, imports: imports)
        check.parse(sources)
        for file in unread { check.keep(file, nil) }
        for other in imports { check.parse(other.files, of: other.name) }
        check.decodeShared()
        check.decodeLanes()
        let added = check.names(of: builtIn)
        check.compareCase(with: added)
        check.decode(builtIn.filter { added.contains(name(of: $0.path)) }, requested: requested)
        check.addPackage()
        let indices = check.indices()
        var references = LaneReferences(
            lanes: check.lanes, indices: indices, unavailable: check.unavailable, omitted: added)
        references.check()
        check.diagnostics.add(references.diagnostics)
        check.checkDefaults()
        let aliases = check.aliases(beside: indices)
        return CheckedLaneFiles(
            lanes: check.lanes, diagnostics: check.diagnostics, indices: indices, aliases: aliases,
            importedNames: check.importedNames)
    }

    /// Returns the names that lane files declare as secrets, even if the files have other errors.
    package static func secretNames(in sources: [SourceFile]) -> Set<String> {
        sources.reduce(into: []) { names, source in
            let node = YAMLParser.parse(source).0
            if let value = node?["secrets"] {
                names.formUnion(value.elements.compactMap { $0.scalar?.text })
            }
            for parameter in node?["parameters"]?.members ?? [] {
                guard parameter.value["secret"]?.scalar?.meaning == .bool(true) else { continue }
                names.formUnion([parameter.value["env"]?.scalar?.text].compactMap(\.self))
            }
        }
    }

    /// Returns the name of the lane in a file.
    package static func name(of path: String) -> String {
        path.withBytes { bytes in
            var file = bytes[...]
            if let slash = file.lastIndex(of: UInt8(ascii: "/")) { file = file[(slash + 1)...] }
            for ending in [".yml", ".yaml"] as [StaticString] {
                let ending = UnsafeBufferPointer(start: ending.utf8Start, count: ending.utf8CodeUnitCount)
                guard file.count >= ending.count, file.suffix(ending.count).elementsEqual(ending) else { continue }
                file = file.dropLast(ending.count)
                break
            }
            return String(decoding: file, as: UTF8.self)
        }
    }
}

extension LaneFiles {
    /// Returns a Boolean value that indicates whether a file in `Lanes` is a lane file, from its name.
    package static func isLaneFile(_ name: String) -> Bool {
        !name.hasPrefix(".") && (name.hasSuffix(".yml") || name.hasSuffix(".yaml"))
    }

    /// Returns a Boolean value that indicates whether a text can be the name of a lane or of an import.
    package static func isName(_ name: String) -> Bool {
        guard name.utf8.first?.isAlphanumeric == true else { return false }
        return name.utf8.allSatisfy { $0.isAlphanumeric || "-_.".utf8.contains($0) }
    }
}

/// A check of lane files.
private struct LaneFilesCheck {
    private struct File {
        let name: String
        /// The name of the import that the file is from, or `nil` for a file of the package.
        let origin: String?
        let source: SourceFile
        /// The root node, or `nil` if the file could not be read.
        let node: YAMLNode?
    }

    let reserved: Set<String>
    let imports: [LaneImport]
    /// The names of imports without files.
    let unavailable: Set<String>
    /// The names of the lanes and included files of imports, by file path.
    private(set) var importedNames: [String: String] = [:]
    var diagnostics = Diagnostics()
    private(set) var lanes: [Lane] = []
    private var laneFiles: [File] = []
    /// The names of the package's lane files.
    private var laneNames: [String] = []
    private var sharedFiles: [String: File] = [:]
    private var shared: [String: Shared] = [:]
    /// The lane with the steps that run before all lanes, and the hooks that run after them.
    private var package: Lane?
    /// The actions for lanes of the package.
    private let all: AvailableActions
    /// The actions for lanes of each import, by the import's name.
    private let own: [String: AvailableActions]

    /// A file that lanes include.
    private struct Shared {
        /// The elements of the file itself, without included files.
        let own: Lane
        /// The names of all files that it includes, directly or indirectly, without duplicates. Each name follows the
        /// names of the files that it includes.
        let included: [String]
    }

    init(
        _ builtIn: [ActionSchema], actions: [ActionSchema], undescribed: Set<String>, reserved: Set<String>,
        imports: [LaneImport]
    ) {
        self.reserved = reserved
        self.imports = imports
        unavailable = Set(imports.filter { !$0.isAvailable }.map(\.name))
        all = AvailableActions(builtIn, actions, undescribed, imports)
        own = Dictionary(imports.map { ($0.name, AvailableActions(builtIn, $0)) }) { first, _ in first }
    }

    mutating func parse(_ sources: [SourceFile], of origin: String? = nil) {
        for source in sources {
            let (node, found) = YAMLParser.parse(source)
            if !found.all.isEmpty { diagnostics.add(found) }
            let isEmpty = node?.isNull ?? !found.hasErrors
            if isEmpty {
                diagnostics.error(
                    "the file is empty", at: Span(file: source, range: 0..<0),
                    hint: "a lane starts with 'summary:' or 'steps:'")
            }
            keep(source, isEmpty ? nil : node, of: origin)
        }
    }

    mutating func keep(_ source: SourceFile, _ node: YAMLNode?, of origin: String? = nil) {
        let name = LaneFiles.name(of: source.path)
        let fullName = origin.map { "\($0)/\(name)" } ?? name
        if origin != nil { importedNames[source.path] = fullName }
        let file = File(name: fullName, origin: origin, source: source, node: node)
        if name.utf8.first == UInt8(ascii: "_") {
            sharedFiles[fullName] = file
        } else {
            laneFiles.append(file)
            if origin == nil { laneNames.append(name) }
        }
    }

    /// Decodes the included files, each after the files that it includes.
    mutating func decodeShared() {
        for name in sharedFiles.keys.sorted() {
            var path = [name]
            while let current = path.last {
                guard shared[current] == nil, let file = sharedFiles[current] else {
                    path.removeLast()
                    continue
                }
                let next = includes(of: file).first { shared[$0.name] == nil && sharedFiles[$0.name] != nil }
                if let next, let start = path.firstIndex(of: next.name) {
                    let cycle = (path[start...] + [next.name]).joined(separator: " → ")
                    diagnostics.error("files include each other in a cycle: \(cycle)", at: next.span)
                    // A file of the cycle counts as empty, so the cycle is reported once.
                    let empty = Lane(name: next.name, span: Span(file: file.source, range: 0..<0))
                    shared[next.name] = Shared(own: empty, included: [])
                } else if let next {
                    path.append(next.name)
                } else {
                    let decoder = decode(file, isShared: true)
                    shared[current] = Shared(own: decoder.ownPart, included: decoder.lane.files)
                    if current == LaneKeys.package, decoder.lane.runsAroundLanes { package = decoder.lane }
                    path.removeLast()
                }
            }
        }
    }

    mutating func decodeLanes() {
        var seen: [String: SourceFile] = [:]
        seen.reserveCapacity(laneFiles.count)
        lanes.reserveCapacity(laneFiles.count)
        for file in laneFiles.sorted(by: { $0.name < $1.name }) {
            let start = Span(file: file.source, range: 0..<0)
            if let other = seen.updateValue(file.source, forKey: file.name) {
                diagnostics.error(
                    "two files are named '\(file.name)'", at: start, hint: "remove this file or '\(other.path)'")
                continue
            }
            _ = isName(file.name, at: start, hint: "rename the file")
            lanes.append(decode(file, isShared: false).lane)
        }
    }

    /// Adds the steps and hooks that run around all lanes as a private lane.
    mutating func addPackage() {
        guard var lane = package else { return }
        lane.isPrivate = true
        lanes.append(lane)
    }

    /// Returns the names of the built-in lanes that no lane file and no alias replaces.
    func names(of builtIn: [SourceFile]) -> Set<String> {
        var names = Set(builtIn.map { LaneFiles.name(of: $0.path) })
        for index in lanes.indices {
            names.remove(lanes[index].name)
            for alias in lanes[index].aliases { names.remove(alias.name) }
        }
        return names
    }

    /// Warns about lanes whose names differ from those of built-in lanes only in case. They do not replace them.
    mutating func compareCase(with builtIn: Set<String>) {
        for lane in lanes where builtIn.contains(lane.name.lowercased()) {
            diagnostics.warning(
                "'\(lane.name)' does not replace the built-in lane '\(lane.name.lowercased())'", at: lane.span,
                hint: "rename the file to '\(lane.name.lowercased()).yml'")
        }
    }

    /// Decodes built-in lanes: all of them if one is requested, so that all secrets are known, or else those that other
    /// lanes use.
    mutating func decode(_ builtIn: [SourceFile], requested: Set<String>?) {
        guard !builtIn.isEmpty else { return }
        var needed = builtIn
        if let requested, !builtIn.contains(where: { requested.contains(LaneFiles.name(of: $0.path)) }) {
            let used = lanes.reduce(into: Set<String>()) { names, lane in names.formUnion(lane.calls.map(\.lane)) }
            needed = builtIn.filter { used.contains(LaneFiles.name(of: $0.path)) }
        }
        guard !needed.isEmpty else { return }
        for source in needed {
            let file = File(
                name: LaneFiles.name(of: source.path), origin: nil, source: source, node: YAMLParser.parse(source).0)
            var lane = decode(file, isShared: false).lane
            lane.isBuiltIn = true
            lanes.append(lane)
        }
        lanes.sort { $0.name < $1.name }
    }

    private mutating func decode(_ file: File, isShared: Bool) -> LaneDecoder {
        var decoder = LaneDecoder(
            name: file.name, file: file.source, origin: file.origin,
            actions: file.origin.flatMap { own[$0] } ?? all, isShared: isShared, laneNames: laneNames)
        if let node = file.node {
            decoder.decode(node, including: included(by: file))
        } else {
            decoder.lane.isReadable = false
        }
        if !decoder.diagnostics.all.isEmpty { diagnostics.add(decoder.diagnostics) }
        if !decoder.lane.secrets.isEmpty {
            var uses = SecretUses(lane: decoder.lane)
            uses.check()
            diagnostics.add(uses.diagnostics)
        }
        return decoder
    }

    /// Returns all files that a file includes, directly or indirectly, without duplicates.
    private mutating func included(by file: File) -> [Lane] {
        var names: [String] = []
        var known: Set<String> = []
        let packageName = file.origin.map { "\($0)/\(LaneKeys.package)" } ?? LaneKeys.package
        let isLane = LaneFiles.name(of: file.source.path).utf8.first != UInt8(ascii: "_")
        if isLane, let package = shared[packageName] {
            names = package.included + [packageName]
            known = Set(names)
        }
        // The hooks of the package's file run once, around all lanes.
        let around = file.origin == nil ? known : []
        guard let member = file.node?.members?["include"] else {
            return shared(names, withoutHooksOf: around)
        }
        for node in member.value.elements where node.scalar == nil || node.isNull {
            diagnostics.error("expected the name of a file, found \(node.kind)", at: node.span(or: member.nameSpan))
        }
        for (name, span) in includes(of: file) {
            if let file = shared[name] {
                for name in file.included + [name] where known.insert(name).inserted { names.append(name) }
            } else if sharedFiles[name] == nil, !LaneImport.isIn(unavailable, name) {
                let names = sharedFiles.values.map { $0.name + ".yml" }.sorted()
                let near = suggestion(for: span?.text ?? name, among: names)
                diagnostics.error(
                    "there is no file '\(span?.text ?? name)' in this directory", at: span,
                    hint: near ?? "an included file is in the same directory, and its name starts with '_'")
            }
        }
        return shared(names, withoutHooksOf: around)
    }

    private func shared(_ names: [String], withoutHooksOf around: Set<String>) -> [Lane] {
        names.compactMap { name in
            guard var lane = shared[name]?.own else { return nil }
            if around.contains(name) { (lane.onFailure, lane.always) = ([], []) }
            return lane
        }
    }

    /// Returns the full names of the files that a file directly includes.
    private func includes(of file: File) -> [(name: String, span: Span?)] {
        guard let value = file.node?["include"] else { return [] }
        return value.elements.compactMap { node in
            guard let text = node.scalar?.text, !node.isNull else { return nil }
            if let origin = file.origin { return ("\(origin)/\(LaneFiles.name(of: text))", node.span) }
            let parts = text.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1).map { String(Substring($0)) }
            if parts.count == 2, let name = parts.last, imports.contains(where: { $0.name == parts[0] }) {
                return ("\(parts[0])/\(LaneFiles.name(of: name))", node.span)
            }
            return (text.hasPrefix("_") ? LaneFiles.name(of: text) : text, node.span)
        }
    }

    /// Reports default lanes after the first one.
    mutating func checkDefaults() {
        let defaults = lanes.filter(\.isDefault)
        for lane in defaults.dropFirst() {
            diagnostics.error(
                "there are two default lanes: '\(defaults[0].name)' and '\(lane.name)'", at: lane.span,
                hint: "remove 'default' from one of them")
        }
    }

    func indices() -> [String: Int] { Dictionary(zip(lanes.map(\.name), lanes.indices)) { $1 } }

    /// Returns the indices of lanes by alias. Reports invalid and ambiguous aliases.
    mutating func aliases(beside indices: [String: Int]) -> [String: Int] {
        var aliases: [String: Int] = [:]
        for (index, lane) in lanes.enumerated() {
            for alias in lane.aliases {
                if let other = indices[alias.name] ?? aliases[alias.name] {
                    diagnostics.error(
                        "'\(alias.name)' is already a name of the lane '\(lanes[other].name)'", at: alias.span)
                } else if isName(alias.name, at: alias.span) {
                    aliases[alias.name] = index
                }
            }
        }
        return aliases
    }

    /// Reports a name that a lane cannot have.
    ///
    /// - Parameter hint: The hint on the name of a command.
    private mutating func isName(_ name: String, at span: Span?, hint: String? = nil) -> Bool {
        if reserved.contains(name) {
            diagnostics.error("'\(name)' is a command and cannot be the name of a lane", at: span, hint: hint)
        } else if !LaneFiles.isName(LaneFiles.name(of: name)) {
            diagnostics.error(
                "'\(name)' is not a valid name for a lane", at: span,
                hint: "start with a letter or digit, and use letters, digits, '-', '_' and '.'")
        } else {
            return true
        }
        return false
    }
}
