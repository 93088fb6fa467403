import Expressions
import LaneModel

extension RunState {
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
        return failedSteps.sorted { $0.key < $1.key }.first { step, _ in
            let isBefore = step < index && enclosingGroups(of: step).last == groups.last
            return isBefore && !isReplaceable(step) || reads(index, from: step)
        }?.value
    }

    /// Returns a Boolean value that indicates whether other steps of the lane can run without a step.
    private func isReplaceable(_ index: Int) -> Bool {
        context.plan.steps[index].isCheck(context.plan.allSecrets) && hierarchy.transaction(of: index) == nil
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

    /// Returns a Boolean value that indicates whether a step uses the outputs of another one.
    private func reads(_ index: Int, from failed: Int) -> Bool {
        let (step, failed) = (context.plan.steps[index], context.plan.steps[failed])
        if step.group == failed.group, step.stepNames.contains(failed.outputKey) { return true }
        guard !step.files.inputs.isEmpty, !failed.files.outputs.isEmpty else { return false }
        let inputs = paths(step.files.inputs, of: step)
        return paths(failed.files.outputs, of: failed).contains { output in
            inputs.contains { $0.starts(with: output) || output.starts(with: $0) }
        }
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
        if case .builtIn(let action) = task.action, !action.isCheck { return false }
        return task.secrets.isDisjoint(with: secrets)
    }
}
