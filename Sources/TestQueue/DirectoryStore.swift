package import Files

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The files of a queue in a directory that all machines share.
package struct DirectoryStore: QueueStore {
    private let directory: String
    /// A closure that returns the time in seconds since 1970, or `nil` for the time of the file system.
    private let clock: (@Sendable () -> Double)?
    /// A function that gives a file a second name, unless a file has it.
    private let link: @Sendable (_ path: String, _ target: String) -> Result<Bool, FileError>

    package var location: String { directory }

    private static let drafts = "running"

    /// Opens a directory, which need not exist. A directory without a queue must be empty.
    ///
    /// - Parameter clock: A closure that returns the time, or `nil` for that of the file system, which is the same on
    ///   all machines.
    package init(
        at directory: String, clock: (@Sendable () -> Double)? = nil,
        link: @escaping @Sendable (String, String) -> Result<Bool, FileError> = { path, target in
            Result { () throws(FileError) in try linkFile(path, to: target) }
        }
    ) throws(TestQueueError) {
        self.directory = directory
        self.clock = clock
        self.link = link
        let names = (try? listDirectory(directory)) ?? []
        guard names.allSatisfy(TestQueue.names.union([Self.drafts]).contains) else { throw .notAQueue(directory) }
    }

    private func path(_ name: String) -> String { "\(directory)/\(name)" }

    package func read(_ name: String) throws(TestQueueError) -> String? {
        try ifExists { () throws(FileError) in try readText(path(name)) }
    }

    package func create(_ name: String, _ content: String) throws(TestQueueError) -> Bool {
        let draft = draft("\(lastPathComponent(name)).\(String(UInt64.random(in: 0...UInt64.max), radix: 36))")
        try convertingFileErrors { () throws(FileError) in
            try makeDirectories(path(Self.drafts))
            try writeFile(content, to: draft)
            if let clock { try setModificationTime(of: draft, to: clock()) }
        }
        return try move(draft, name)
    }

    /// Moves a draft to its name, unless there is such a file, and removes the draft.
    private func move(_ draft: String, _ name: String) throws(TestQueueError) -> Bool {
        defer { try? removeTree(draft) }
        do throws(FileError) {
            try makeDirectories(parentDirectory(path(name)))
            return try link(draft, path(name)).get()
        } catch {
            guard error.operation == "link", Self.withoutLinks.contains(error.code) else { throw .file(error) }
            throw .noHardLinks(directory)
        }
    }

    /// The errors of file systems that have no hard links, such as FAT.
    private static let withoutLinks: Set = [EPERM, ENOSYS, ENOTSUP, EOPNOTSUPP]

    package func existing(_ names: [String]) -> Set<String> { Set(names.filter { fileExists(path($0)) }) }

    package func age(of name: String) throws(TestQueueError) -> Double? {
        try ifExists { () throws(FileError) in
            let time = try modificationTime(of: path(name))
            if let clock { return clock() - time }
            try setModificationTime(of: path(Self.drafts))
            return try modificationTime(of: path(Self.drafts)) - time
        }
    }

    package func renew(_ name: String, _ content: String) throws(TestQueueError) {
        _ = try ifExists { () throws(FileError) in try setModificationTime(of: path(name), to: clock?()) }
    }

    package func remove(_ name: String) throws(TestQueueError) {
        try convertingFileErrors { () throws(FileError) in try removeTree(path(name)) }
    }

    package func draft(_ name: String) -> String { path("\(Self.drafts)/\(name)") }

    package func publish(_ draft: String, as name: String) throws(TestQueueError) {
        _ = try move(draft, name)
    }

    private func ifExists<Result>(_ body: () throws(FileError) -> Result) throws(TestQueueError) -> Result? {
        do throws(FileError) {
            return try body()
        } catch {
            guard error.isMissing else { throw .file(error) }
            return nil
        }
    }
}

func convertingFileErrors<Result>(_ body: () throws(FileError) -> Result) throws(TestQueueError) -> Result {
    do throws(FileError) { return try body() } catch { throw .file(error) }
}
