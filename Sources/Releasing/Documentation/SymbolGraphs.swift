import Files
import JSON
import LaneEvents
import LaneRun

/// What the compiler knows of a package's public declarations, as files that DocC reads.
///
/// They are written by an ordinary build with folders of its own, so that its flags undo no other build's work.
struct SymbolGraphs: Sendable {
    /// The package's folder.
    let directory: String
    /// The directory of these builds.
    let scratch: String

    private var folder: String { "\(scratch)/symbols" }

    /// The command that writes those of a target, and of all it needs in this package.
    func build(_ target: PackageDescription.Target) -> [String] {
        [
            "swift", "build", "--target", target.name, "--scratch-path", scratch, "-Xswiftc", "-emit-symbol-graph",
            "-Xswiftc", "-emit-symbol-graph-dir", "-Xswiftc", folder,
        ]
    }

    func prepare() throws(StepFailure) {
        try onFiles { () throws(FileError) in try makeDirectories(folder) }
    }

    /// Errors about public declarations of a module that no comment says anything of.
    func silent(in module: String) throws(StepFailure) -> [BuildDiagnostic] {
        let bytes = try onFiles { () throws(FileError) in try readFile("\(folder)/\(module).symbols.json") }
        guard let symbols = (try? JSONParser.parse(bytes))?["symbols"]?.array else {
            throw StepFailure("the compiler wrote no symbol graph of '\(module)' that can be read")
        }
        return symbols.compactMap { symbol -> BuildDiagnostic? in
            guard symbol["docComment"] == nil, let place = location(of: symbol),
                let names = symbol["pathComponents"]?.array?.compactMap(\.string), let name = names.last,
                !Self.saidElsewhere.contains(name),
                symbol["identifier"]?["precise"]?.string?.contains("::SYNTHESIZED::") == false
            else { return nil }
            return BuildDiagnostic(
                .error, "'\(names.joined(separator: "."))' is public, and no comment says what it is", at: place)
        }.sorted {
            ($0.location?.path ?? "", $0.location?.line ?? 0) < ($1.location?.path ?? "", $1.location?.line ?? 0)
        }
    }

    /// What the standard library's protocols ask for means what they say.
    private static let saidElsewhere: Set = [
        "description", "debugDescription", "encode(to:)", "init(from:)", "==(_:_:)", "<(_:_:)", "hash(into:)",
        "hashValue", "makeIterator()", "next()", "startIndex", "endIndex", "index(after:)", "index(before:)",
    ]

    /// `nil` for what the compiler made up.
    private func location(of symbol: JSONNode) -> SourceLocation? {
        guard let place = symbol["location"], let uri = place["uri"]?.string,
            let line = place["position"]?["line"]?.integer, let path = FileURL.path(uri)
        else { return nil }
        // Counted from 0 in symbol graphs.
        let column = place["position"]?["character"]?.integer.map { $0 + 1 }
        return SourceLocation(path: relativePath(path, to: directory), line: line + 1, column: column)
    }

    /// Copies those that are about one module into a folder: its own, and `Module@Other` for what it adds to others.
    func copy(of module: String, to target: String) throws(StepFailure) {
        try onFiles { () throws(FileError) in
            try removeTree(target)
            try makeDirectories(target)
            for name in try listDirectory(folder) where name == "\(module).symbols.json" || name.hasPrefix("\(module)@")
            {
                try writeFile(readFile("\(folder)/\(name)"), to: "\(target)/\(name)")
            }
        }
    }
}
