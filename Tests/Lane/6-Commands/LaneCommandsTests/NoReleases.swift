import Actions
import OperatingSystem

/// A repository without releases.
struct NoReleases: ReleaseSource {
    func begin(
        root: String, environment: [String: String], processes: any ProcessRunner, cleanup: any ProcessRunner
    ) throws(OperationFailure) -> any Transaction {
        throw .refused(["there is no repository"])
    }

    func needsRecovery(root: String) -> Bool { false }

    func recover(
        root: String, environment: [String: String], processes: any ProcessRunner
    ) throws(OperationFailure) -> RecoveredTransaction? { nil }

    func interruptedRelease(root: String, environment: [String: String], processes: any ProcessRunner) -> String? {
        nil
    }

    func lastRelease(root: String, environment: [String: String], processes: any ProcessRunner) -> LastRelease? { nil }

    func isLastReleaseUnpushed(root: String, environment: [String: String], processes: any ProcessRunner) -> Bool {
        false
    }

    func abort(
        root: String, environment: [String: String], processes: any ProcessRunner
    ) throws(OperationFailure) -> String? { nil }
}
