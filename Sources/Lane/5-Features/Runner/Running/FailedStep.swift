import Expressions
import LaneModel

/// A step that failed or did not run because of a failure, in a run that keeps going.
struct FailedStep {
    let step: Int
    /// The step that failed.
    let cause: Int
    /// The outermost group of the step up to that of the requested lane.
    fileprivate let lane: Int?
    /// A Boolean value that indicates whether other steps of the lane can run without the step.
    fileprivate let isReplaceable: Bool
    /// The directories and files of the outputs.
    fileprivate let outputs: [[Substring]]
}

extension RunState {
    func failedStep(_ index: Int, cause: Int) -> FailedStep {
        let step = context.plan.steps[index]
        return FailedStep(
            step: index, cause: cause, lane: enclosingGroups(of: index).last,
            isReplaceable: step.isCheck(context.plan.allSecrets) && hierarchy.transaction(of: index) == nil,
            outputs: paths(step.files.outputs, of: step))
    }

    /// Returns the failed step on which a step depends, if any.
    ///
    /// In a run that keeps going, a step also runs after an earlier step of its lane failed, unless it needs its results.
    func failure(of index: Int, after failed: Int) -> Int? {
        guard context.options.failurePolicy == .keepGoing, !hierarchy.isHook(index) else { return failed }
        let groups = enclosingGroups(of: index)
        guard context.plan.steps[index].isCheck(context.plan.allSecrets), hierarchy.transaction(of: index) == nil,
            context.plan.groups[context.plan.steps[failed].group].lane != LaneKeys.package,
            !groups.contains(where: { self.groups[$0].needsFailedLane })
        else { return failed }
        let step = context.plan.steps[index]
        let (names, inputs) = (step.stepNames, paths(step.files.inputs, of: step))
        return failedSteps.first { failed in
            if failed.step < index, failed.lane == groups.last, !failed.isReplaceable { return true }
            let other = context.plan.steps[failed.step]
            if step.group == other.group, names.contains(other.outputKey) { return true }
            return failed.outputs.contains { output in
                inputs.contains { $0.starts(with: output) || output.starts(with: $0) }
            }
        }?.cause
    }

    /// Returns the groups around a step up to that of the requested lane, innermost first.
    private func enclosingGroups(of step: Int) -> [Int] {
        var found = [context.plan.steps[step].group]
        while let last = found.last, let parent = hierarchy.parent(of: last),
            context.plan.groups[parent].lane != LaneKeys.package
        {
            found.append(parent)
        }
        return found
    }

    /// Returns the components of each pattern before the first wildcard.
    private func paths(_ patterns: [Template], of step: PlanStep) -> [[Substring]] {
        patterns.compactMap { pattern in
            guard let text = (try? pattern.evaluate(in: evaluation(of: step.group)))?.text else { return nil }
            return Array(text.split(separator: "/").prefix { part in !part.utf8.contains { "*?[{".utf8.contains($0) } })
        }
    }
}

extension PlanStep {
    /// A Boolean value that indicates whether the step only builds and tests. A step that gets one of the given secrets
    /// probably changes something outside.
    fileprivate func isCheck(_ secrets: Set<String>) -> Bool {
        if case .builtIn = task.action, task.settings.action?.isCheck != true { return false }
        return task.secrets.isDisjoint(with: secrets)
    }
}
