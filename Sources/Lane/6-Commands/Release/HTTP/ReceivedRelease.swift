import Actions
import Events
import Git
import LaneModel
package import OperatingSystem
package import Packaging
import Text

/// The files of a release that a user has or downloads, and what their verification requires.
package struct ReceivedRelease: Sendable {
    /// A file, a directory or a URL.
    private let target: String
    private let tag: String?
    private let allowedSigners: String?
    private let isRebuilt: Bool
    private let directory: String
    private let root: String
    private let environment: [String: String]
    private let processes: any ProcessRunner
    private let cancellation: Cancellation
    private let now: @Sendable () -> Double

    /// - Parameters:
    ///   - target: A file, a directory or a URL.
    ///   - tag: The tag whose provenance is required, or `nil` for any.
    ///   - allowedSigners: The file of the keys that may have signed, or `nil` for those of git's configuration.
    ///   - isRebuilt: A Boolean value that indicates whether the commit is built and compared.
    ///   - directory: The working directory. Paths are relative to it.
    ///   - root: The root of the package with the commit.
    ///   - now: A closure that returns the time in seconds since 1970.
    package init(
        _ target: String, tag: String?, allowedSigners: String?, isRebuilt: Bool, directory: String, root: String,
        environment: [String: String], processes: any ProcessRunner, cancellation: Cancellation,
        now: @escaping @Sendable () -> Double
    ) {
        (self.target, self.tag, self.allowedSigners, self.isRebuilt) = (target, tag, allowedSigners, isRebuilt)
        (self.directory, self.root, self.environment) = (directory, root, environment)
        (self.processes, self.cancellation, self.now) = (processes, cancellation, now)
    }

    /// Verifies the files.
    ///
    /// - Parameters:
    ///   - knowsGit: A Boolean value that indicates whether git is installed.
    ///   - note: A closure that shows a line about the rebuild.
    package func verify(
        knowsGit: Bool, note: @escaping @Sendable (String) -> Void
    ) throws(OperationFailure) -> VerificationReport {
        let scratch = try convertingFileErrors(of: ScratchDirectory(for: environment, prefix: "lane-verify"))
        defer { scratch.remove() }
        let git = knowsGit ? Git(in: directory, environment: environment, processes: processes) : nil
        var verification = try verification(git, scratch: scratch.path)
        verification.checkout = git
        var report = try verification.run()
        if isRebuilt, report.problems.isEmpty {
            report.rows.append(try rebuildRow(for: report.statements, scratch: scratch.path, note: note))
        }
        return report
    }

    private func verification(_ git: Git?, scratch: String) throws(OperationFailure) -> ReleaseVerification {
        let signatures = SignatureCheck(try trust, git: git, environment: environment, processes: processes)
        var (folder, file, found): (String, String?, String?)
        if target.contains("://") {
            let downloads = "\(scratch)/files"
            try convertingFileErrors(of: makeDirectories(downloads))
            let curl = Curl(processes: processes, environment: environment, directory: scratch)
            let files = try ReleaseDownload(curl: curl, environment: environment, directory: downloads).fetch(target)
            (folder, file, found) = (downloads, files.file, files.tag)
        } else {
            let path = absolutePath(target, from: directory)
            guard fileExists(path) else {
                let hint = Self.isAddress(target) ? "\nhint: begin a URL with https://" : ""
                throw OperationFailure(
                    status: ExitStatus.fileNotFound.rawValue, "there is no file or directory '\(target)'\(hint)")
            }
            (folder, file, found) =
                isDirectory(path) ? (path, nil, nil) : (parentDirectory(path), lastPathComponent(path), nil)
        }
        var verification = ReleaseVerification(directory: folder, file: file, signatures: signatures)
        verification.tag = tag ?? found
        verification.requiresTag = tag != nil
        return verification
    }

    /// Returns a Boolean value that indicates whether a missing path begins with the name of a host, whose last part has
    /// only letters: `github.com/example/shape`.
    private static func isAddress(_ path: String) -> Bool {
        guard let slash = path.firstIndex(of: "/") else { return false }
        let parts = path[..<slash].split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, let last = parts.last, last.utf8.count > 1 else { return false }
        return !parts.contains("") && last.allSatisfy { $0.isASCII && $0.isLetter }
    }

    private var trust: SignatureCheck.Trust {
        get throws(OperationFailure) {
            guard let allowedSigners else { return .configured }
            let path = absolutePath(allowedSigners, from: directory)
            guard fileExists(path) else {
                throw OperationFailure(
                    status: ExitStatus.fileNotFound.rawValue, "there is no file '\(allowedSigners)'")
            }
            return .allowedSigners(path)
        }
    }

    private func rebuildRow(
        for statements: [ProvenanceStatement], scratch: String, note: @escaping @Sendable (String) -> Void
    ) throws(OperationFailure) -> VerificationReport.Row {
        let git = Git(in: root, environment: environment, processes: processes)
        return try ReleaseRebuild(git: git, scratch: scratch) { directory, time in
            var environment = environment
            environment["SOURCE_DATE_EPOCH"] = time
            return StepContext(
                step: StepID("verify/rebuild"), directory: directory, root: directory, environment: environment,
                parameters: [:], processes: processes, cancellation: cancellation, now: now,
                events: EventStream(receivers: [MessageLines(write: note)]))
        }.row(for: statements)
    }
}

/// A receiver that writes the messages of a step.
private final class MessageLines: EventReceiver {
    private let write: @Sendable (String) -> Void

    init(write: @escaping @Sendable (String) -> Void) { self.write = write }

    func receive(_ event: LaneEvent, _ run: RunSummary) {
        if case .message(let message) = event.kind { write("\(message.level.rawValue): \(message.text)") }
    }
}
