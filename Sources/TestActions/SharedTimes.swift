import Archives
package import HTTP
package import LaneEvents
package import LaneRun
package import Processes
package import TestEngine
import TestQueue
import Files

/// The recorded times of tests in a file on this machine or on a web server, which all runs read and some update.
///
/// A file on a server ends with its checksum. Updates are one after another: each creates a lock file first.
package struct SharedTimes: Sendable {
    private enum Storage: Sendable {
        case file(String)
        case server(ServerConnection, name: String)
    }

    private let storage: Storage

    /// The time after which a lock file belongs to a machine that was lost, in seconds.
    private static let lease = 60.0
    private static let pause = Duration.milliseconds(500)
    private static let checksum = "sha256 "

    /// Opens the times at a path or an address.
    ///
    /// - Parameter directory: The directory that a path is relative to.
    package init(
        at location: String, from directory: String, processes: any ProcessRunner, environment: [String: String],
        cancellation: Cancellation
    ) throws(WebError) {
        let server = try ServerConnection(
            to: location, isFile: true, processes: processes, environment: environment, cancellation: cancellation)
        storage =
            if let server {
                .server(server, name: lastPathComponent(location))
            } else {
                .file(absolutePath(location, from: directory))
            }
    }

    /// Returns the times. If they cannot be read, returns `nil` after a warning.
    package func read(warn: (String) -> Void) -> TestHistory? {
        switch storage {
        case .file(let path): return TestHistory(path: path)
        case .server(let server, let name):
            do throws(WebError) {
                return TestHistory(contents: try Self.verified(server.files.read(name), server.files.url(name), warn))
            } catch {
                warn("\(error.description); the times of this machine or of the archive are used")
                return nil
            }
        }
    }

    /// Adds the results of a run.
    ///
    /// - Parameters:
    ///   - results: The results in a history of their own.
    ///   - others: The tests without a result, if the run had all tests that exist, or `nil` to keep all.
    package func update(
        with results: TestHistory, keeping others: Set<TestID>?, cancellation: Cancellation, warn: (String) -> Void
    ) throws(StepFailure) {
        switch storage {
        case .file(let path):
            let history = TestHistory(path: path)
            history.add(results, keeping: others)
            try convertingFileErrors { () throws(FileError) in try history.save() }
        case .server(let server, let name):
            do throws(WebError) {
                try update(server.files, name, with: results, keeping: others, cancellation, warn)
            } catch {
                throw StepFailure(.web(error))
            }
        }
    }

    private func update(
        _ files: WebFiles, _ name: String, with results: TestHistory, keeping others: Set<TestID>?,
        _ cancellation: Cancellation, _ warn: (String) -> Void
    ) throws(WebError) {
        let lock = "\(name).lock"
        let identity = Array(String(UInt64.random(in: 0...UInt64.max), radix: 36).utf8)
        while !(try files.create(lock, identity)) {
            if let age = try files.age(of: lock), age > Self.lease {
                try files.remove(lock)
            } else if cancellation.wait(Self.pause) {
                throw .cancelled
            }
        }
        let failure: WebError?
        do throws(WebError) {
            let history = TestHistory(contents: Self.verified(try files.read(name), files.url(name), warn))
            history.add(results, keeping: others)
            try files.write(Self.signed(history.text), to: name)
            failure = nil
        } catch {
            failure = error
        }
        do throws(WebError) { try files.remove(lock) } catch { throw failure ?? error }
        if let failure { throw failure }
    }

    /// Returns a text with the line of its checksum.
    static func signed(_ text: [UInt8]) -> [UInt8] {
        text + Array("\(checksum)\(SHA256.digest(of: text))\n".utf8)
    }

    /// Returns the text without the line of its checksum. A damaged text is empty after a warning.
    static func verified(_ content: [UInt8]?, _ url: String, _ warn: (String) -> Void) -> [UInt8] {
        guard let content else { return [] }
        let lines = content.dropLast()
        let end = lines.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let text = Array(content[..<end])
        guard signed(text) == content else {
            warn("'\(url)' is damaged or has no recorded times: expected a last line with its checksum")
            return []
        }
        return text
    }
}
