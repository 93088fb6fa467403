import Archives
import OperatingSystem
import SwiftPackages
import Text

extension LibraryBuild {
    /// Returns the public headers and the module map of a C target, in a directory with the module's name.
    func headers(
        _ target: PackageDescription.Target, of directory: String
    ) throws(OperationFailure) -> [ArchiveEntry] {
        let sources = "\(directory)/\(target.path)"
        let location = target.isSystemLibrary ? sources : "\(sources)/\(target.headers)"
        guard isDirectory(location) else { return [] }
        var entries = try convertingArchiveErrors { () throws(ArchiveError) in
            try ArchiveContents.tree(at: location).entries.filter { entry in
                // A header directory may also contain sources.
                !target.sources.contains(target.headers == "." ? entry.path : "\(target.headers)/\(entry.path)")
            }
        }.map { ArchiveEntry("lib/\(target.moduleName)/\($0.path)", $0.content) }
        let map = "lib/\(target.moduleName)/module.modulemap"
        if !entries.contains(where: { $0.path == map }) {
            let umbrella = entries.contains { $0.path == "lib/\(target.moduleName)/\(target.moduleName).h" }
            let text =
                "module \(target.moduleName) {\n    umbrella \(umbrella ? "header \"\(target.moduleName).h\"" : "\".\"")\n"
                + "    export *\n}\n"
            entries.append(ArchiveEntry(map, .bytes(Array(text.utf8), isExecutable: false)))
        }
        return entries.filter { $0.content != .directory }
    }

    /// Returns headers that forward includes to the new paths of other headers.
    ///
    /// SwiftPM adds the header directories of all C targets to the search path, but other programs add only `lib`.
    func forwardingHeaders(for entries: [ArchiveEntry]) throws(OperationFailure) -> [ArchiveEntry] {
        let headers = try entries.filter { HeaderFile.isHeader($0.path) }
            .map { entry throws(OperationFailure) in try HeaderFile(entry) }
        let roots = Set(headers.map(\.root)).sorted()
        var known = Set(headers.map(\.path))
        var made: [ArchiveEntry] = []
        for header in headers {
            for included in header.includes {
                guard !included.isQuoted || !known.contains("\(parentDirectory(header.path))/\(included.name)"),
                    !known.contains("lib/\(included.name)"),
                    let root = ([header.root] + roots).first(where: { known.contains("\($0)/\(included.name)") })
                else { continue }
                let path = "lib/\(included.name)"
                let ups = String(repeating: "../", count: included.name.pathComponents.count - 1)
                let text = "#include \"\(ups)\(lastPathComponent(root))/\(included.name)\"\n"
                known.insert(path)
                made.append(ArchiveEntry(path, .bytes(Array(text.utf8), isExecutable: false)))
            }
        }
        return made
    }
}

/// A packaged header with its includes.
struct HeaderFile {
    struct Include: Equatable {
        let name: String
        /// A Boolean value that indicates whether the include is quoted. The compiler then searches the directory of
        /// the header first.
        let isQuoted: Bool
    }

    let path: String
    let includes: [Include]

    /// The directory that SwiftPM adds to the search path: `lib/Module`.
    var root: String { path.pathComponents.prefix(2).joined(separator: "/") }

    static func isHeader(_ path: String) -> Bool { [".h", ".hh", ".hpp", ".inc"].contains(where: path.hasSuffix) }

    init(_ entry: ArchiveEntry) throws(OperationFailure) {
        path = entry.path
        switch entry.content {
        case .file(let source, _):
            let bytes = try convertingFileErrors { () throws(FileError) in try readFile(source) }
            includes = Self.includes(String(decoding: bytes, as: UTF8.self))
        case .bytes(let bytes, _): includes = Self.includes(String(decoding: bytes, as: UTF8.self))
        case .directory, .link: includes = []
        }
    }

    /// Returns the includes in the `#include` and `#import` lines of a header.
    static func includes(_ text: String) -> [Include] {
        text.lines.compactMap { line in
            var rest = line.drop(while: \.isWhitespace)
            guard rest.popFirst() == "#" else { return nil }
            rest = rest.drop(while: \.isWhitespace)
            guard let word = ["include_next", "include", "import"].first(where: rest.hasPrefix) else { return nil }
            rest = rest.dropFirst(word.count).drop(while: \.isWhitespace)
            guard let quote = rest.popFirst(), let end: Character = ["\"": "\"", "<": ">"][quote],
                let last = rest.firstIndex(of: end), last > rest.startIndex
            else { return nil }
            return Include(name: String(rest[..<last]), isQuoted: quote == "\"")
        }
    }
}
