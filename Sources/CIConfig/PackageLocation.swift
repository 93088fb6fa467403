import ASCII

/// Where a package lies in its repository, and what follows for names and paths.
///
/// Services read their files at the repository's root, and know paths only from there. Below it, everything that a
/// repository has once tells the package: files, concurrency groups, caches and artifacts.
package struct PackageLocation: Sendable, Equatable {
    /// Relative to the repository's root; empty for the root itself.
    package let folder: String
    /// Other packages of the repository that this one is built with, likewise.
    package let neighbours: [String]

    package init(folder: String = "", neighbours: [String] = []) {
        self.folder = folder
        self.neighbours = neighbours
    }

    /// The folder for whoever starts at the repository's root; `nil` for the root.
    var below: String? { folder.isEmpty ? nil : folder }

    /// The path from the package to the repository's root, empty or with a slash at its end.
    var up: String { folder.split(separator: "/").map { _ in "../" }.joined() }

    /// A path of the package as seen from the repository's root.
    package func path(_ path: String) -> String { folder.isEmpty ? path : "\(folder)/\(path)" }

    /// A name for what packages of one repository must not share: `ci`, below the root `services_shape_ci`.
    ///
    /// No two have the same one, as no job's name has a `_` in it: what is behind the last one is the job.
    func name(_ name: String) -> String { folder.isEmpty ? name : "\(word)_\(name)" }

    /// What people see, with the package.
    func title(_ title: String) -> String { folder.isEmpty ? title : "\(title) (\(folder))" }

    /// The folder in letters, digits, `-` and `_`, which is all that the services know how to name: `_` for a slash,
    /// `__` and two digits of its code for any other byte.
    private var word: String {
        var word: [UInt8] = []
        for byte in folder.utf8 {
            switch byte {
            case UInt8(ascii: "/"): word.append(UInt8(ascii: "_"))
            case UInt8(ascii: "-"): word.append(byte)
            case _ where byte.isAlphanumeric: word.append(byte)
            default: word += Array("__".utf8) + byte.hexDigits()
            }
        }
        return String(decoding: word, as: UTF8.self)
    }

    /// What a change must touch to concern the package, in the patterns of GitHub and Azure; empty for anything.
    var patterns: [String] {
        guard !folder.isEmpty else { return [] }
        return ([folder] + neighbours).map { $0.isEmpty ? "**" : Self.literal($0) + "/**" }
    }

    /// What the services would take for a pattern, as the one that both know: any text without a slash.
    private static func literal(_ folder: String) -> String {
        String(decoding: folder.utf8.map { "+?![]*\\".utf8.contains($0) ? UInt8(ascii: "*") : $0 }, as: UTF8.self)
    }
}
