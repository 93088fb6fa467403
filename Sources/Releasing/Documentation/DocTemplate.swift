import Files

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The pages and scripts around every site, which DocC copies with their owner: where they are another user's, as in a
/// container, it is not let and leaves half of them out. A copy of our own is not refused.
enum DocTemplate {
    /// The variable by which `docc` is told of another template than its own.
    static let variable = "DOCC_HTML_DIR"

    /// Copies the template to a folder where that is needed; gives the folder, or `nil` where `docc` can do without.
    ///
    /// - Parameter executable: The path of `docc`.
    static func copy(of executable: String, _ environment: [String: String], to folder: String) throws(FileError)
        -> String?
    {
        let own = resolvedPath(executable).map { "\(parentDirectory(parentDirectory($0)))/share/docc/render" }
        guard let template = environment[variable] ?? own, isDirectory(template), isForeign(template) else {
            return nil
        }
        try copy(template, to: folder)
        return folder
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
