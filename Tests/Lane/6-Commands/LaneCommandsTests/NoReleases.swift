import Actions
import Git
import OperatingSystem

/// A repository without releases.
struct NoReleases: ReleaseSource {
    func begin(_ git: Git, cleanup: Git) throws(OperationFailure) -> any Transaction {
        throw .refused(["there is no repository"])
    }

    func needsRecovery(root: String) -> Bool { false }

    func recover(_ git: Git) -> RecoveredTransaction? { nil }

    func interruptedRelease(_ git: Git) -> String? { nil }

    func lastRelease(_ git: Git) -> LastRelease? { nil }

    func isLastReleaseUnpushed(_ git: Git) -> Bool { false }

    func abort(_ git: Git) -> String? { nil }
}
