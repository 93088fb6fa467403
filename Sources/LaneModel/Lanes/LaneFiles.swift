package import Diagnostics
import ASCII
import YAML

/// From the texts of lane files to checked lanes.
package enum LaneFiles {
    /// Checks all files together and reports everything at once.
    ///
    /// A file's name without its ending is the lane's name; one that begins with `_` holds what lanes include.
    /// `reserved` are the names that no lane may have, with the reason; `actions` describe the executables of the package.
    /// Of `unread` files and `undescribed` executables, which whoever could not read them tells of, only the names are
    /// known.
    package static func check(
        _ sources: [SourceFile], unread: [SourceFile] = [], actions: [ActionSchema] = [],
        undescribed: Set<String> = [], reserved: Set<String> = []
    ) -> CheckedLaneFiles {
        var check = LaneFilesCheck(actions: actions, undescribed: undescribed, reserved: reserved)
        check.parse(sources)
        for file in unread { check.keep(file, nil) }
        check.decodeShared()
        check.decodeLanes()
        let indices = check.indices()
        var references = LaneReferences(lanes: check.lanes, indices: indices)
        references.check()
        check.diagnostics.add(references.diagnostics)
        return CheckedLaneFiles(lanes: check.lanes, diagnostics: check.diagnostics, indices: indices)
    }

    /// Returns the names that lane files declare as secrets, whatever else is wrong with the files.
    package static func secretNames(in sources: [SourceFile]) -> Set<String> {
        sources.reduce(into: []) { names, source in
            guard let value = YAMLParser.parse(source).0?["secrets"] else { return }
            names.formUnion((value.sequence ?? [value]).compactMap { $0.scalar?.text })
        }
    }

    /// The name that a file gives to its lane.
    static func name(of path: String) -> String {
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

/// The steps of one check.
private struct LaneFilesCheck {
    private struct File {
        let name: String
        let source: SourceFile
        /// `nil` for a file that could not be read.
        let node: YAMLNode?
    }

    let actions: [String: ActionSchema]
    let undescribed: Set<String>
    let reserved: Set<String>
    var diagnostics = Diagnostics()
    private(set) var lanes: [Lane] = []
    private var laneFiles: [File] = []
    private var sharedFiles: [String: File] = [:]
    private var shared: [String: Shared] = [:]

    /// A file that lanes include.
    private struct Shared {
        /// The elements that the file itself declares.
        let own: Lane
        /// All files that it includes, also through others, each once and after those that it includes itself.
        let included: [String]
    }

    init(actions: [ActionSchema], undescribed: Set<String>, reserved: Set<String>) {
        self.actions = Dictionary(actions.map { ($0.name, $0) }) { first, _ in first }
        self.undescribed = undescribed
        self.reserved = reserved
    }

    mutating func parse(_ sources: [SourceFile]) {
        for source in sources {
            let (node, found) = YAMLParser.parse(source)
            if !found.all.isEmpty { diagnostics.add(found) }
            let isEmpty = node?.isNull ?? !found.hasErrors
            if isEmpty {
                diagnostics.error(
                    "the file is empty", at: Span(file: source, range: 0..<0),
                    hint: "a lane begins with 'summary:' or 'steps:'")
            }
            keep(source, isEmpty ? nil : node)
        }
    }

    mutating func keep(_ source: SourceFile, _ node: YAMLNode?) {
        let name = LaneFiles.name(of: source.path)
        let file = File(name: name, source: source, node: node)
        if name.utf8.first == UInt8(ascii: "_") { sharedFiles[name] = file } else { laneFiles.append(file) }
    }

    /// Reads the files that lanes include, each after those that it includes itself.
    mutating func decodeShared() {
        for name in sharedFiles.keys.sorted() {
            var path = [name]
            while let current = path.last {
                guard shared[current] == nil, let file = sharedFiles[current] else {
                    path.removeLast()
                    continue
                }
                let next = includes(of: file.node).first { shared[$0.name] == nil && sharedFiles[$0.name] != nil }
                if let next, let start = path.firstIndex(of: next.name) {
                    let circle = (path[start...] + [next.name]).joined(separator: " → ")
                    diagnostics.error("files include each other in a circle: \(circle)", at: next.span)
                    // Taken for empty, so that the circle is told once.
                    let empty = Lane(name: next.name, span: Span(file: file.source, range: 0..<0))
                    shared[next.name] = Shared(own: empty, included: [])
                } else if let next {
                    path.append(next.name)
                } else {
                    let decoder = decode(file, isShared: true)
                    shared[current] = Shared(own: decoder.ownPart, included: decoder.lane.files)
                    path.removeLast()
                }
            }
        }
    }

    mutating func decodeLanes() {
        var seen: Set<String> = []
        seen.reserveCapacity(laneFiles.count)
        lanes.reserveCapacity(laneFiles.count)
        for file in laneFiles.sorted(by: { $0.name < $1.name }) {
            let start = Span(file: file.source, range: 0..<0)
            if !seen.insert(file.name).inserted {
                diagnostics.error("two files are named '\(file.name)'", at: start)
                continue
            }
            if reserved.contains(file.name) {
                diagnostics.error(
                    "'\(file.name)' is a command of lane and cannot name a lane", at: start, hint: "rename the file")
            } else if !Self.isName(file.name) {
                diagnostics.error(
                    "'\(file.name)' cannot name a lane", at: start,
                    hint: "use letters, digits, '-', '_' and '.', and begin with a letter or digit")
            }
            lanes.append(decode(file, isShared: false).lane)
        }
    }

    private mutating func decode(_ file: File, isShared: Bool) -> LaneDecoder {
        var decoder = LaneDecoder(
            name: file.name, file: file.source, actions: actions, undescribed: undescribed, isShared: isShared)
        if let node = file.node {
            decoder.decode(node, including: included(by: file))
        } else {
            decoder.lane.isReadable = false
        }
        if !decoder.diagnostics.all.isEmpty { diagnostics.add(decoder.diagnostics) }
        if !decoder.lane.secrets.isEmpty {
            var uses = SecretUses(in: decoder.lane)
            uses.check()
            diagnostics.add(uses.diagnostics)
        }
        return decoder
    }

    /// Returns what a file includes. A file that is included by several ways counts once.
    private mutating func included(by file: File) -> [Lane] {
        guard let member = file.node?.members?.first(where: { $0.name == "include" }) else { return [] }
        var names: [String] = []
        var known: Set<String> = []
        for node in member.value.sequence ?? [member.value] where node.scalar == nil || node.isNull {
            diagnostics.error(
                "expected the name of a file, found \(node.kind)", at: node.place(or: member.nameSpan))
        }
        for (name, span) in includes(of: file.node) {
            if let file = shared[name] {
                for name in file.included + [name] where known.insert(name).inserted { names.append(name) }
            } else if sharedFiles[name] == nil {
                let names = sharedFiles.values.map { $0.name + ".yml" }.sorted()
                let near = nearest(to: span?.text ?? name, among: names)
                diagnostics.error(
                    "there is no file '\(span?.text ?? name)' beside this one to include", at: span,
                    hint: near.map { "did you mean '\($0)'?" }
                        ?? "a file to include stands in the same folder and its name begins with '_'")
            }
        }
        return names.compactMap { shared[$0]?.own }
    }

    private func includes(of node: YAMLNode?) -> [(name: String, span: Span?)] {
        guard let value = node?["include"] else { return [] }
        return (value.sequence ?? [value]).compactMap { node in
            guard let text = node.scalar?.text, !node.isNull else { return nil }
            return (text.hasPrefix("_") ? LaneFiles.name(of: text) : text, node.span)
        }
    }

    func indices() -> [String: Int] {
        var indices: [String: Int] = [:]
        indices.reserveCapacity(lanes.count)
        for index in lanes.indices { indices[lanes[index].name] = index }
        return indices
    }

    private static func isName(_ name: String) -> Bool {
        guard name.utf8.first?.isAlphanumeric == true else { return false }
        return name.utf8.allSatisfy { $0.isAlphanumeric || "-_.".utf8.contains($0) }
    }
}
