import Files

/// The changelog in a package's folder.
enum ChangelogFile {
    static let name = "CHANGELOG.md"

    /// `nil` when there is none.
    static func read(in directory: String, name: String = name) -> Changelog? {
        (try? readText("\(directory)/\(name)")).map { Changelog($0) }
    }
}
