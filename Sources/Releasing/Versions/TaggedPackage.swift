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
    /// Folders in which other packages may lie.
    private let places: [String]

    package init(prefix: String? = nil, names: Set<String> = [], folder: String = "", places: [String] = []) {
        self.prefix = prefix
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
            places: folder.isEmpty ? [root] : [repository.topLevel, parentDirectory(root), root])
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
