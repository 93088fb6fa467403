import OperatingSystem
import Text

/// The repository of a package, and the packages of the repository that the package depends on.
package struct RepositorySurroundings {
    /// The root of the repository, or the package's directory if there is no repository.
    package let top: String
    /// The location of the package in the repository.
    package let location: PackageLocation

    /// Finds the repository around the directory of a package.
    package init(of package: String) {
        let top = Self.top(around: package) ?? package
        self.top = top
        let dependencies = Self.dependencies(of: package).filter { $0 == top || $0.utf8.starts(with: "\(top)/".utf8) }
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
