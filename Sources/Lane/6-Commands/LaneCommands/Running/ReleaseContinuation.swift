import Actions
import Expressions
import LaneModel
import OperatingSystem
import Runner
import Text

/// The decision whether a run continues after the last release of this checkout.
struct ReleaseContinuation {
    let root: String
    let plan: Plan
    let context: EvaluationContext
    let resumes: Bool
    /// A Boolean value that indicates whether this call of `lane` completed an interrupted transaction.
    let isRecovered: Bool

    /// The finished steps after which the run continues.
    struct Outcome {
        var record: TransactionRecord?
        var continues = false
        /// A message about a release that was undone because it is made again.
        var note: String?
    }

    func find(in world: World) throws(OperationFailure) -> Outcome {
        guard plan.groups.contains(where: \.isTransaction),
            let last = world.program.releases.lastRelease(world.git(in: root)), last.record.lane == plan.lane
        else { return Outcome() }
        let requested = requestedVersions
        let publishesIt = requested.contains { $0 == last.version } && publishes
        // A relative version is that of the interrupted release.
        let completesIt = isRecovered && requested.allSatisfy { $0 == last.version }
        if publishes, !publishesIt, !completesIt, !resumes { try requirePublished(last, in: world) }
        if !last.isRebased { return Outcome(record: last.record, continues: publishesIt || completesIt) }
        // The rebased commit was never built, so the commit, the tag and the archives are created again.
        guard publishesIt || resumes else { return Outcome() }
        let note = try world.program.releases.abort(world.git(in: root))
        return Outcome(note: note.map { "\($0)\nits commit was rebased, so the release is made again" })
    }

    /// Throws an error if the last release was not published. A run that makes another release would forget it.
    private func requirePublished(_ last: LastRelease, in world: World) throws(OperationFailure) {
        guard let version = last.version else { return }
        let abort = "'lane \(plan.lane) --abort' undoes it"
        if RunJournal.isUnfinished(root: root, lane: plan.lane, run: last.record.run) {
            throw .refused([
                "the release '\(version)' exists, but its publication was not finished\n"
                    + "hint: run the same command with --resume; \(abort)"
            ])
        }
        if world.program.releases.isLastReleaseUnpushed(world.git(in: root)) {
            throw .refused([
                "the release '\(version)' exists only in this repository\n"
                    + "hint: run the same command with the version \(version) to publish it; \(abort)"
            ])
        }
    }

    /// The versions that the run requests, except relative ones.
    private var requestedVersions: [SemanticVersion] {
        plan.groups.flatMap(\.parameters).compactMap { name, value in
            name == "version" ? value.text.flatMap { SemanticVersion($0) } : nil
        }
    }

    /// A Boolean value that indicates whether a step after the transaction publishes.
    private var publishes: Bool {
        let conditions = PlanConditions(plan: plan, context: context)
        return plan.steps.contains { step in
            guard step.task.action == .builtIn(.publish), plan.stage(of: step) == .then else { return false }
            if case .skipped = conditions.prediction(for: step) { return false }
            return true
        }
    }
}
