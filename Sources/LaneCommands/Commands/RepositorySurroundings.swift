import CIConfig
import Files

/// The repository that a package is in, and the packages in there that it is built with.
struct RepositorySurroundings {
    /// The repository's top; the package's own folder where there is no repository.
    let top: String
    let location: PackageLocation

    init(of package: String) {
        let top = Self.top(around: package) ?? package
        self.top = top
        let neighbours = Self.neighbours(of: package).filter { $0 == top || $0.utf8.starts(with: "\(top)/".utf8) }
        location = PackageLocation(
            folder: package == top ? "" : relativePath(package, to: top),
            neighbours: neighbours.map { $0 == top ? "" : relativePath($0, to: top) })
    }

    /// The folders of all these packages.
    var packages: [String] {
        ([location.folder] + location.neighbours).map { $0.isEmpty ? top : "\(top)/\($0)" }
    }

    private static func top(around package: String) -> String? {
        var folder = package
        while fileKind("\(folder)/.git") == nil {
            guard folder != "/" else { return nil }
            folder = parentDirectory(folder)
        }
        return folder
    }

    /// What manifests name as `path: "../…"`, and what those do, in the order of the paths.
    private static func neighbours(of package: String) -> [String] {
        var found: Set<String> = []
        var queue = [package]
        while let next = queue.popLast() {
            for path in outerPaths(in: (try? readText("\(next)/Package.swift")) ?? "") {
                let folder = absolutePath(path, from: next)
                guard folder != package, fileExists("\(folder)/Package.swift") else { continue }
                if found.insert(folder).inserted { queue.append(folder) }
            }
        }
        return found.sorted()
    }

    private static func outerPaths(in manifest: String) -> [String] {
        manifest.utf8.split(separator: "path:".utf8, omittingEmptySubsequences: false).dropFirst().compactMap { rest in
            let literal = rest.drop { " \t\n".utf8.contains($0) }
            guard literal.first == UInt8(ascii: "\"") else { return nil }
            let path = String(Substring(literal.dropFirst().prefix { $0 != UInt8(ascii: "\"") }))
            return path.hasPrefix("..") ? path : nil
        }
    }
}
