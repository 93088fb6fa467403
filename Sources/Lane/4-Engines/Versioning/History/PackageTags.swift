import OperatingSystem
import Text

/// The version tags of one package among those of its repository.
///
/// The tags of the first of these groups that is not empty belong to the package:
///
/// 1. Tags with the package's name or directory before the version, such as `shape-1.2.3` or `shape/v1.2.3`.
/// 2. Tags that consist of a version with or without `v`, unless the package is inside another package. For a package
///    at the root, these belong to it in any case, because projects change the form of their tags.
/// 3. All tags that do not name another directory.
package struct PackageTags {
    /// The tags of the package.
    package let tags: [ReleaseTag]
    /// The prefix for the first tag of a package without tags. It has the form of the latest tag of another package.
    let firstPrefix: String
    /// The reason why the tags are ambiguous, if they are.
    let problem: String?

    /// Selects the tags of a package.
    package init(_ all: [ReleaseTag], of package: TaggedPackage) {
        if let prefix = package.prefix {
            self.init(tags: all.filter { $0.prefix == prefix }, firstPrefix: prefix)
            return
        }
        // `swift-5.9` and `ubuntu-22.4` name something else.
        let all = all.filter { tag in
            !tag.isPartial || tag.subject.isEmpty || package.names.contains(tag.subject.lowercased())
        }
        let subjects = Set(all.map(\.subject))
        var own = subjects.filter { package.names.contains($0.lowercased()) }
        if own.isEmpty && !package.isBelowAnother || package.subdirectory.isEmpty {
            own.formUnion(subjects.intersection([""]))
        }
        if own.isEmpty {
            own = subjects.filter { !package.belongsToOtherDirectory($0) }
            guard own.count < 2 else {
                let problem = Self.ambiguity(of: all.filter { own.contains($0.subject) })
                self.init(tags: [], firstPrefix: "", problem: problem)
                return
            }
        }
        let latest = all.max { $0.version < $1.version }
        self.init(
            tags: all.filter { own.contains($0.subject) },
            firstPrefix: own.isEmpty
                ? latest.map { $0.prefix(for: package.subdirectory) } ?? package.firstPrefix : "")
    }

    private init(tags: [ReleaseTag], firstPrefix: String, problem: String? = nil) {
        (self.tags, self.firstPrefix, self.problem) = (tags, firstPrefix, problem)
    }

    private static func ambiguity(of tags: [ReleaseTag]) -> String {
        let names = Dictionary(grouping: tags, by: \.subject).values.compactMap { $0.max { $0.version < $1.version } }
            .map { "'\($0.name)'" }.sorted()
        return "the tags \(names[0]) and \(names[1]) name versions of different things\n"
            + "hint: set the prefix of this package's tags in 'env', for example \(TaggedPackage.prefixVariable): \(tags[0].prefix)"
    }
}

extension ReleaseTag {
    /// The name in the tag: `shape` in `shape-v1.2.3`, empty in `v1.2.3`.
    package var subject: String { String(prefix.dropLast(form.utf8.count)) }

    /// The text between the name and the version: `-v`, `/`.
    private var form: String {
        let separators = "/-_@. "
        var rest = prefix[...]
        if let last = rest.last, last == "v" || last == "V", rest.dropLast().last.map(separators.contains) ?? true {
            rest.removeLast()
        }
        while let last = rest.last, separators.contains(last) { rest.removeLast() }
        return String(prefix[rest.endIndex...])
    }

    /// Returns the prefix in the same form for a package in `directory`, or an empty string for the root.
    fileprivate func prefix(for directory: String) -> String {
        guard !directory.isEmpty else { return "" }
        let name = subject.contains("/") ? directory : lastPathComponent(directory)
        return name + (subject.isEmpty ? "-" : "") + form
    }
}
