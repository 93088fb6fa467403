import OperatingSystem
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

/// The repository of a package, and the packages of the repository that the package depends on.
package struct RepositorySurroundings {
    /// The root of the repository, or the package's directory if there is no repository.
    package let top: String
    /// The location of the package in the repository.
    package let location: PackageLocation
    /// The directories of the packages outside the repository that the package depends on.
    package let outerPackages: [String]

    /// Finds the repository around the directory of a package.
    package init(of package: String) {
        let top = Self.top(around: package) ?? package
        self.top = top
        let all = Self.dependencies(of: package)
        func isInside(_ directory: String) -> Bool { directory == top || directory.utf8.starts(with: "\(top)/".utf8) }
        let dependencies = all.filter(isInside)
        outerPackages = all.filter { !isInside($0) }
        location = PackageLocation(
            directory: package == top ? "" : relativePath(package, to: top),
            dependencies: dependencies.map { $0 == top ? "" : relativePath($0, to: top) },
            hasSubmodules: fileExists("\(top)/.gitmodules"))
    }

    /// The directories of the package and of its dependencies in the repository.
    package var packages: [String] {
        ([location.directory] + location.dependencies).map { $0.isEmpty ? top : "\(top)/\($0)" }
    }

    private static func top(around package: String) -> String? {
        var directory = package
        while fileKind("\(directory)/.git") == nil {
            guard directory != "/" else { return nil }
            directory = parentDirectory(directory)
        }
        return directory
    }

    /// Returns the directories of `path: "../…"` dependencies, recursively, in order.
    private static func dependencies(of package: String) -> [String] {
        var found: Set<String> = []
        var queue = [package]
        while let next = queue.popLast() {
            for path in outerPaths(in: (try? readText("\(next)/Package.swift")) ?? "") {
                let directory = absolutePath(path, from: next)
                guard directory != package, fileExists("\(directory)/Package.swift") else { continue }
                if found.insert(directory).inserted { queue.append(directory) }
            }
        }
        return found.sorted()
    }

    private static func outerPaths(in manifest: String) -> [String] {
        manifest.parts(separatedBy: "path:").dropFirst().compactMap { rest in
            let literal = rest.utf8.drop { " \t\n".utf8.contains($0) }
            guard literal.first == UInt8(ascii: "\"") else { return nil }
            let path = String(Substring(literal.dropFirst().prefix { $0 != UInt8(ascii: "\"") }))
            return path.hasPrefix("..") ? path : nil
        }
    }
}
