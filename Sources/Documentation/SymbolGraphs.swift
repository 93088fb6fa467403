import Files
import JSON
import LaneEvents
import LaneRun
import Packaging

/// The symbol graphs of a package, which the compiler writes for DocC.
///
/// They are written by a build in a separate directory, so that its flags do not invalidate other builds.
struct SymbolGraphs: Sendable {
    /// The directory of the package.
    let directory: String
    /// The build directory.
    let scratch: String

    private var output: String { "\(scratch)/symbols" }

    /// Returns the command that writes the symbol graphs of a target and of its dependencies in the package.
    func build(_ target: PackageDescription.Target) -> [String] {
        [
            "swift", "build", "--target", target.name, "--scratch-path", scratch, "-Xswiftc", "-emit-symbol-graph",
            "-Xswiftc", "-emit-symbol-graph-dir", "-Xswiftc", output,
        ]
    }

    func prepare() throws(StepFailure) {
        try onFiles { () throws(FileError) in try makeDirectories(output) }
    }

    /// Returns errors for the public declarations of a module without comments.
    func silent(in module: String) throws(StepFailure) -> [BuildDiagnostic] {
        let bytes = try onFiles { () throws(FileError) in try readFile("\(output)/\(module).symbols.json") }
        guard let symbols = (try? JSONParser.parse(bytes))?["symbols"]?.array else {
            throw StepFailure("the compiler wrote no readable symbol graph of '\(module)'")
        }
        return symbols.compactMap { symbol -> BuildDiagnostic? in
            guard symbol["docComment"] == nil, let place = location(of: symbol),
                let names = symbol["pathComponents"]?.array?.compactMap(\.string), let name = names.last,
                !Self.saidElsewhere.contains(name),
                symbol["identifier"]?["precise"]?.string?.contains("::SYNTHESIZED::") == false
            else { return nil }
            return BuildDiagnostic(
                .error, "'\(names.joined(separator: "."))' is public but has no comment", at: place)
        }.sorted {
            ($0.location?.path ?? "", $0.location?.line ?? 0) < ($1.location?.path ?? "", $1.location?.line ?? 0)
        }
    }

    /// The names of requirements of the standard library's protocols, which need no comments.
    private static let saidElsewhere: Set = [
        "description", "debugDescription", "encode(to:)", "init(from:)", "==(_:_:)", "<(_:_:)", "hash(into:)",
        "hashValue", "makeIterator()", "next()", "startIndex", "endIndex", "index(after:)", "index(before:)",
    ]

    /// Returns the location of a symbol, or `nil` for one that the compiler synthesized.
    private func location(of symbol: JSONNode) -> SourceLocation? {
        guard let place = symbol["location"], let uri = place["uri"]?.string,
            let line = place["position"]?["line"]?.integer, let path = FileURL.path(uri)
        else { return nil }
        // Symbol graphs count from 0.
        let column = place["position"]?["character"]?.integer.map { $0 + 1 }
        return SourceLocation(path: relativePath(path, to: directory), line: line + 1, column: column)
    }

    /// Copies the symbol graphs of a module: its own, and `Module@Other` for extensions of other modules.
    func copy(of module: String, to target: String) throws(StepFailure) {
        try onFiles { () throws(FileError) in
            try removeTree(target)
            try makeDirectories(target)
            for name in try listDirectory(output) where name == "\(module).symbols.json" || name.hasPrefix("\(module)@")
            {
                try writeFile(readFile("\(output)/\(name)"), to: "\(target)/\(name)")
            }
        }
    }
}
