import OperatingSystem

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The template of DocC websites. DocC preserves the owner of the template's files, which fails in a container if
/// another user owns them. A copy belongs to the current user.
enum DocTemplate {
    /// The environment variable for another template.
    static let variable = "DOCC_HTML_DIR"

    /// Copies the template to a directory if necessary. Returns the directory, or `nil` if `docc` can use its own
    /// template.
    ///
    /// - Parameter executable: The path of `docc`.
    static func copy(of executable: String, _ environment: [String: String], to directory: String) throws(FileError)
        -> String?
    {
        let own = resolvedPath(executable).map { "\(parentDirectory(parentDirectory($0)))/share/docc/render" }
        guard let template = environment[variable] ?? own, isDirectory(template), isForeign(template) else {
            return nil
        }
        try copy(template, to: directory)
        return directory
    }

    private static func isForeign(_ path: String) -> Bool {
        var status = stat()
        return geteuid() != 0 && stat(path, &status) == 0 && status.st_uid != geteuid()
    }

    private static func copy(_ source: String, to target: String) throws(FileError) {
        guard isDirectory(source) else { return try writeFile(readFile(source), to: target) }
        try makeDirectories(target)
        for name in try listDirectory(source) { try copy("\(source)/\(name)", to: "\(target)/\(name)") }
    }
}
