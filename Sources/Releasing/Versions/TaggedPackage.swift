import LaneRun

import Files

/// A package as the tags of its repository may name it, where more than one thing is released from there.
package struct TaggedPackage: Sendable {
    /// The variable that says what stands before the version in the package's tags.
    package static let prefixVariable = "LANE_TAG_PREFIX"

    /// What its tags begin with, where that is said.
    let prefix: String?
    /// Its manifest's name and its folder, lowercase.
    let names: Set<String>
    /// From the repository's top; empty for a package that is all of the repository.
    let folder: String
    /// The folders of the repository's other packages, from its top, for one that is not all of it.
    let others: [String]
    /// Folders in which other packages may lie.
    private let places: [String]

    package init(
        prefix: String? = nil, names: Set<String> = [], folder: String = "", others: [String] = [],
        places: [String] = []
    ) {
        self.prefix = prefix
        self.others = others
        self.names = names
        self.folder = folder
        self.places = places
    }

    static func find(_ git: Git, root: String, in repository: Repository) -> TaggedPackage {
        var names: Set<String> = []
        if let name = (try? readText("\(root)/Package.swift")).flatMap(ManifestName.find) {
            names.insert(name.lowercased())
        }
        // The folder of a whole checkout may have any name.
        let folder = String(repository.prefix.dropLast())
        if !folder.isEmpty { names.formUnion([lastPathComponent(folder).lowercased(), folder.lowercased()]) }
        return TaggedPackage(
            prefix: git[variable: prefixVariable], names: names, folder: folder,
            others: folder.isEmpty ? [] : packages(git).filter { !"\($0)/".hasPrefix("\(folder)/") },
            places: folder.isEmpty ? [root] : [repository.topLevel, parentDirectory(root), root])
    }

    /// The folders of all packages that git knows, from the repository's top.
    private static func packages(_ git: Git) -> [String] {
        let paths = try? git.text(["ls-files", "-z", "--full-name", "--", ":(top,glob)**/Package.swift"])
        return (paths ?? "").utf8.split(separator: 0).map { path in
            let path = String(Substring(path))
            return path.contains("/") ? parentDirectory(path) : ""
        }
    }

    /// Whether tags that name nothing but a version are of a package at the repository's top, where SwiftPM looks.
    var isBelowAnother: Bool { others.contains("") }

    /// What stands before the version in a first tag where no other tells the form: nothing where the package is the only
    /// one, else what leaves the next package its own tags.
    var firstPrefix: String {
        guard !others.isEmpty else { return "" }
        let name = lastPathComponent(folder)
        let isUnique = !others.contains { lastPathComponent($0).lowercased() == name.lowercased() }
        return isUnique ? "\(name)-" : "\(folder)-"
    }

    /// Whether what is tagged with this name is released from another folder. To all of a repository only a package counts
    /// as that: `release-1.2.3` may well be its tag beside a folder with scripts.
    func isNeighbour(_ name: String) -> Bool {
        places.contains { place in
            let alike = ((try? listDirectory(place)) ?? []).filter { $0.lowercased() == name.lowercased() }
            return ([name] + alike).contains {
                folder.isEmpty ? fileExists("\(place)/\($0)/Package.swift") : isDirectory("\(place)/\($0)")
            }
        }
    }
}
