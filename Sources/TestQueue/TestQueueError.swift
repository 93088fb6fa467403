package import Files
package import HTTP

/// An error that prevents the use of a queue.
package enum TestQueueError: Error, Sendable, Equatable, CustomStringConvertible {
    case file(FileError)
    case web(WebError)
    /// The directory or the address has no readable header.
    case notAQueue(String)
    /// The file system of the directory has no hard links.
    case noHardLinks(String)
    /// The queue was created for other tests.
    case otherTests(String, count: Int, expected: Int)

    package var description: String {
        switch self {
        case .file(let error): error.description
        case .web(let error): error.description
        case .notAQueue(let location): "'\(location)' is not a queue of tests"
        case .noHardLinks(let directory):
            "the file system of '\(directory)' has no hard links, with which machines take batches\n"
                + "hint: use a directory on a local disk or NFS, or a web server"
        case .otherTests(let location, let count, let expected):
            "the queue '\(location)' has other tests: expected \(expected), found \(count)\n"
                + "hint: use a new directory for each run, and the same archive on all machines"
        }
    }
}
