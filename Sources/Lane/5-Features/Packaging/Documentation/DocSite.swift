import Events
import OperatingSystem
import SwiftPackages
import Text

/// The directory of a website. It is replaced as a whole.
struct DocSite {
    let path: String

    private var next: String { "\(parentDirectory(path))/.\(lastPathComponent(path)).new" }
    private var last: String { "\(parentDirectory(path))/.\(lastPathComponent(path)).old" }

    /// Throws an error if the directory contains anything other than a website of DocC.
    func checkIsOurs(shown: String) throws(OperationFailure) {
        guard let kind = fileKind(path) else { return }
        let names = kind == .directory ? try convertingFileErrors(of: listDirectory(path)) : ["?"]
        guard names.isEmpty || (names.contains("metadata.json") && names.contains("data")) else {
            throw .refused([
                "'\(shown)' exists and is not a website of DocC\nhint: set 'output' to another directory"
            ])
        }
    }

    /// Removes the files of a killed run, and returns the directory for the new website.
    func begin() throws(OperationFailure) -> String {
        try convertingFileErrors { () throws(FileError) in
            try makeDirectories(parentDirectory(path))
            try removeTree(next)
        }
        return next
    }

    /// Removes the unfinished website.
    func abandon() { try? removeTree(next) }

    func finish() throws(OperationFailure) {
        try convertingFileErrors { () throws(FileError) in
            try removeTree(last)
            if fileKind(path) != nil { try moveFile(path, to: last) }
            try moveFile(next, to: path)
            try removeTree(last)
        }
    }
}

/// The symbol graphs of a package, which the compiler writes for DocC.
///
/// A build in a separate directory writes them, because its flags would invalidate other builds.
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

    func prepare() throws(OperationFailure) {
        try convertingFileErrors(of: makeDirectories(output))
    }

    /// Returns an error for each public declaration of a module that has no comment.
    func undocumented(in module: String) throws(OperationFailure) -> [BuildDiagnostic] {
        let bytes = try convertingFileErrors(of: readFile("\(output)/\(module).symbols.json"))
        guard let symbols = (try? JSONParser.parse(bytes))?["symbols"]?.array else {
            throw OperationFailure("the compiler wrote no readable symbol graph of '\(module)'")
        }
        return symbols.compactMap { symbol -> BuildDiagnostic? in
            guard symbol["docComment"] == nil, let location = sourceLocation(of: symbol),
                let names = symbol["pathComponents"]?.array?.compactMap(\.string), let name = names.last,
                !Self.exemptRequirements.contains(name),
                symbol["identifier"]?["precise"]?.string?.contains("::SYNTHESIZED::") == false
            else { return nil }
            return BuildDiagnostic(
                .error, "'\(names.joined(separator: "."))' is public but has no comment", at: location)
        }.sorted {
            ($0.location?.path ?? "", $0.location?.line ?? 0) < ($1.location?.path ?? "", $1.location?.line ?? 0)
        }
    }

    /// The requirements of the standard library's protocols. Their implementations need no comment.
    private static let exemptRequirements: Set = [
        "description", "debugDescription", "encode(to:)", "init(from:)", "==(_:_:)", "<(_:_:)", "hash(into:)",
        "hashValue", "makeIterator()", "next()", "startIndex", "endIndex", "index(after:)", "index(before:)",
    ]

    /// Returns the location of a symbol, or `nil` for a symbol that the compiler synthesized.
    private func sourceLocation(of symbol: JSONNode) -> SourceLocation? {
        guard let location = symbol["location"], let uri = location["uri"]?.string,
            let line = location["position"]?["line"]?.integer, let path = URLPath.ofFile(uri)
        else { return nil }
        // Columns in symbol graphs start at 0.
        let column = location["position"]?["character"]?.integer.map { $0 + 1 }
        return SourceLocation(path: relativePath(path, to: directory), line: line + 1, column: column)
    }

    /// Copies the symbol graph of a module, and those of its extensions of other modules, `Module@Other`.
    func copy(of module: String, to target: String) throws(OperationFailure) {
        try convertingFileErrors { () throws(FileError) in
            try removeTree(target)
            try makeDirectories(target)
            for name in try listDirectory(output) where name == "\(module).symbols.json" || name.hasPrefix("\(module)@")
            {
                try writeFile(readFile("\(output)/\(name)"), to: "\(target)/\(name)")
            }
        }
    }
}
