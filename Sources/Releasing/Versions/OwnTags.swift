import Files

/// The version tags of one package among those of its repository.
///
/// They have its name or its folder before the version, `shape-1.2.3` or `shape/v1.2.3`. Where none has, they are those
/// with nothing or `v` before it, but for a package below another; to a package that is all of the repository these
/// belong in any case, as tags of one package may change their form. Where there are none of these either, they are all
/// others that name no folder beside.
struct OwnTags {
    let tags: [ReleaseTag]
    /// What stands before the version in a first tag.
    let firstPrefix: String
    /// Why they cannot be told from others.
    let problem: String?

    init(_ all: [ReleaseTag], of package: TaggedPackage) {
        if let prefix = package.prefix {
            self.init(tags: all.filter { $0.prefix == prefix }, firstPrefix: prefix)
            return
        }
        let subjects = Set(all.map(\.subject))
        var own = subjects.filter { package.names.contains($0.lowercased()) }
        if own.isEmpty && !package.isBelowAnother || package.folder.isEmpty {
            own.formUnion(subjects.intersection([""]))
        }
        if own.isEmpty {
            own = subjects.filter { !package.isNeighbour($0) }
            guard own.count < 2 else {
                let problem = Self.ambiguity(of: all.filter { own.contains($0.subject) })
                self.init(tags: [], firstPrefix: "", problem: problem)
                return
            }
        }
        let neighbour = all.max { $0.version < $1.version }
        self.init(
            tags: all.filter { own.contains($0.subject) },
            firstPrefix: own.isEmpty ? neighbour.map { $0.prefix(for: package.folder) } ?? package.firstPrefix : "")
    }

    private init(tags: [ReleaseTag], firstPrefix: String, problem: String? = nil) {
        (self.tags, self.firstPrefix, self.problem) = (tags, firstPrefix, problem)
    }

    private static func ambiguity(of tags: [ReleaseTag]) -> String {
        let names = Dictionary(grouping: tags, by: \.subject).values.compactMap { $0.max { $0.version < $1.version } }
            .map { "'\($0.name)'" }.sorted()
        return "the tags \(names[0]) and \(names[1]) name versions of different things\n"
            + "hint: say which are this package's in 'env', as in \(TaggedPackage.prefixVariable): \(tags[0].prefix)"
    }
}

extension ReleaseTag {
    /// What the tag names beside the version: `shape` in `shape-v1.2.3`, nothing in `v1.2.3`.
    var subject: String { String(prefix.dropLast(form.utf8.count)) }

    /// What joins the subject and the version: `-v`, `/`.
    private var form: String {
        let separators = "/-_@. "
        var rest = prefix[...]
        if let last = rest.last, last == "v" || last == "V", rest.dropLast().last.map(separators.contains) ?? true {
            rest.removeLast()
        }
        while let last = rest.last, separators.contains(last) { rest.removeLast() }
        return String(prefix[rest.endIndex...])
    }

    /// What would stand in the same form of tag for a package in another folder; nothing for the whole repository.
    fileprivate func prefix(for folder: String) -> String {
        guard !folder.isEmpty else { return "" }
        let name = subject.contains("/") ? folder : lastPathComponent(folder)
        return name + (subject.isEmpty ? "-" : "") + form
    }
}
