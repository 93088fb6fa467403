import Text

/// The parts of a report that come from outside the run.
package struct ReportSources: Sendable {
    /// The path of the package in the repository, either empty or with a trailing `/`.
    let root: String
    /// A closure that returns the contents of a file that a test attached, or `nil` if it is missing or too large.
    let read: @Sendable (String) -> [UInt8]?
    /// A closure that returns the origin of the run.
    let origin: @Sendable () -> RunOrigin

    package init(
        root: String = "", read: @escaping @Sendable (String) -> [UInt8]? = { _ in nil },
        origin: @escaping @Sendable () -> RunOrigin = { RunOrigin() }
    ) {
        (self.root, self.read, self.origin) = (root, read, origin)
    }
}

/// The code and the machine of a run.
package struct RunOrigin: Sendable, Equatable {
    /// The hash of the commit.
    package var commit: String?
    /// A Boolean value that indicates whether files differ from the commit.
    package var isModified = false
    package var branch: String?
    /// The operating system and the processor.
    package var machine = ""
    /// The address of the repository's web page, without a trailing slash.
    package var page: String?

    package init() {}

    /// Returns the address of the commit.
    var commitPage: String? { commit.flatMap { commit in page.map { "\($0)/commit/\(commit)" } } }

    /// Returns the address of a line in the source. `path` is relative to the repository.
    func address(of path: String, line: Int) -> String? {
        guard let page, let commit, !path.hasPrefix("/") else { return nil }
        let encoded = URLPath.encoded(path, allowing: "-._~/@+")
        return "\(page)/blob/\(commit)/\(encoded)#L\(line)"
    }
}
