package import Files

/// An error that prevents the use of a queue.
package enum TestQueueError: Error, Sendable, Equatable, CustomStringConvertible {
    case file(FileError)
    /// The directory has no readable header.
    case notAQueue(String)
    /// The queue was created for other tests.
    case otherTests(String, count: Int, expected: Int)

    package var description: String {
        switch self {
        case .file(let error): error.description
        case .notAQueue(let path): "'\(path)' is not a queue of tests"
        case .otherTests(let path, let count, let expected):
            "the queue '\(path)' has other tests: expected \(expected), found \(count)\n"
                + "hint: use a new directory for each run, and the same archive on all machines"
        }
    }
}
