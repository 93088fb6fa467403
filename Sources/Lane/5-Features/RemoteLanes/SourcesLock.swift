package import Text

/// An entry of the lock file: the commit of a source that runs use.
package struct LockedSource: Sendable, Equatable {
    package let name: String
    /// The address and the requirement from which the commit was resolved.
    package let url: String
    package let requirement: SourceRequirement
    /// The tag of the commit if the requirement is a version.
    package let tag: String?
    /// The full hash of the commit.
    package let commit: String
    /// The SHA-256 of the directory `Lanes` in hexadecimal digits. See `SourceTree.digest(of:)`.
    package let sha256: String

    /// A description for users, such as `1.4.2 (0123456789ab)`.
    package var description: String {
        let name: String? = if case .branch(let branch) = requirement { branch } else { tag }
        return name.map { "\($0) (\(commit.prefix(12)))" } ?? String(commit.prefix(12))
    }

    /// Returns a Boolean value that indicates whether the commit was resolved for the current address and requirement
    /// of a source.
    func isFor(_ source: LaneSource) -> Bool { url == source.url && requirement == source.requirement }
}

/// The lock file with one commit for each source. Users commit the file.
package struct SourcesLock: Sendable, Equatable {
    /// The path relative to the package's root.
    package static let path = "Lanes/remote/sources.lock"

    private static let version = 1

    /// The sources, sorted by name.
    package let sources: [LockedSource]

    package init(_ sources: [LockedSource]) {
        self.sources = sources.sorted { $0.name < $1.name }
    }

    /// Returns the entry of a source.
    package subscript(name: String) -> LockedSource? { sources.first { $0.name == name } }

    /// The text of the file.
    package var text: String {
        JSONWriter.document { writer in
            writer.member("version", Self.version)
            writer.array("sources") { writer in
                for source in sources {
                    writer.object { writer in
                        writer.member("name", source.name)
                        writer.member("url", source.url)
                        writer.member(source.requirement.key, source.requirement.value)
                        if let tag = source.tag { writer.member("tag", tag) }
                        writer.member("resolved", source.commit)
                        writer.member("sha256", source.sha256)
                    }
                }
            }
        }
    }

    /// Parses the file.
    package static func read(_ file: SourceFile) throws(Diagnostic) -> SourcesLock {
        let node: JSONNode
        do throws(JSONError) {
            node = try JSONParser.parse(file.bytes)
        } catch {
            let end = file.bytes.count
            let start = min(error.offset, end)
            throw Diagnostic(
                .error, error.message, at: Span(file: file, range: start..<min(start + 1, end)),
                hint: "restore the file, or remove it and use 'lane update'")
        }
        guard node["version"]?.integer == version, let entries = node["sources"]?.array else {
            throw Diagnostic(
                .error, "expected version \(version) of the lock file", at: Span(file: file, range: 0..<0),
                hint: "use the version of lane that wrote it, or remove the file and use 'lane update'")
        }
        var sources: [LockedSource] = []
        for entry in entries {
            guard let source = LockedSource(entry) else {
                throw Diagnostic(
                    .error, "invalid source in the lock file", at: Span(file: file, range: entry.range),
                    hint: "restore the file, or remove it and use 'lane update'")
            }
            sources.append(source)
        }
        return SourcesLock(sources)
    }
}

extension LockedSource {
    fileprivate init?(_ node: JSONNode) {
        func text(_ name: String) -> String? { node[name]?.string }
        let requirement = ["version", "branch", "commit"].lazy.compactMap { key in
            text(key).flatMap { SourceRequirement(key, $0) }
        }.first
        guard let name = text("name"), let url = text("url"), let requirement, let commit = text("resolved"),
            SourceRequirement.isCommit(commit), let sha256 = text("sha256"), sha256.utf8.count == 64
        else { return nil }
        self.init(
            name: name, url: url, requirement: requirement, tag: text("tag"), commit: commit, sha256: sha256)
    }
}
