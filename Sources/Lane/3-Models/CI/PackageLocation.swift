import Text

/// The location of a package in its repository.
///
/// CI services read files at the repository's root, and paths in these files are relative to the root. The names of
/// files, concurrency groups, caches and artifacts of a package below the root contain its path.
package struct PackageLocation: Sendable, Equatable {
    /// The path relative to the repository's root. Empty for the root.
    package let directory: String
    /// The paths of other packages of the repository that the package depends on.
    let dependencies: [String]
    /// A Boolean value that indicates whether the repository has submodules.
    package let hasSubmodules: Bool

    package init(directory: String = "", dependencies: [String] = [], hasSubmodules: Bool = false) {
        self.directory = directory
        self.dependencies = dependencies
        self.hasSubmodules = hasSubmodules
    }

    /// The command that makes git trust the checkout, whose path is in `variable`, and its submodules.
    func trust(_ variable: String) -> String {
        "git config --global --add safe.directory \(hasSubmodules ? "'*'" : "\"$\(variable)\"")"
    }

    /// The path relative to the repository's root, or `nil` for the root.
    var below: String? { directory.isEmpty ? nil : directory }

    /// The relative path from the package to the repository's root, empty or with a trailing slash.
    var up: String { directory.split(separator: "/").map { _ in "../" }.joined() }

    /// Returns a path of the package, relative to the repository's root.
    func path(_ path: String) -> String { directory.isEmpty ? path : "\(directory)/\(path)" }

    /// Returns a name that is unique in the repository, such as `ci`, or `services_shape_ci` for a package below the
    /// root.
    ///
    /// The names of jobs contain no `_`, so the text after the last `_` is the name of the job.
    func name(_ name: String) -> String { directory.isEmpty ? name : "\(word)_\(name)" }

    /// Returns a title with the path of the package.
    func title(_ title: String) -> String { directory.isEmpty ? title : "\(title) (\(directory))" }

    /// The path in letters, digits, `-` and `_`, which all services allow in names: `_` for a slash, `__` and two
    /// hexadecimal digits for any other byte.
    private var word: String {
        var word: [UInt8] = []
        for byte in directory.utf8 {
            switch byte {
            case UInt8(ascii: "/"): word.append(UInt8(ascii: "_"))
            case UInt8(ascii: "-"): word.append(byte)
            case _ where byte.isAlphanumeric: word.append(byte)
            default: word += Array("__".utf8) + byte.hexDigits()
            }
        }
        return String(decoding: word, as: UTF8.self)
    }

    /// The patterns of files that affect the package, in the syntax of GitHub and Azure. Empty for all files.
    var patterns: [String] {
        guard !directory.isEmpty else { return [] }
        return ([directory] + dependencies).map { $0.isEmpty ? "**" : Self.literal($0) + "/**" }
    }

    /// Replaces special characters of patterns with `*`, which all services support.
    private static func literal(_ directory: String) -> String {
        String(decoding: directory.utf8.map { "+?![]*\\".utf8.contains($0) ? UInt8(ascii: "*") : $0 }, as: UTF8.self)
    }
}
