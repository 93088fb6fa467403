import Events
import LaneModel
import OperatingSystem
import Synchronization

/// The processes that steps left running. Each is stopped at the end of its lane.
final class BackgroundProcesses: Sendable {
    private struct Running {
        let step: StepID
        let name: String
        let process: BackgroundProcess
    }

    /// A process that was stopped at the end of its lane.
    struct Stopped {
        let step: StepID
        let name: String
        let process: BackgroundProcess
        /// A Boolean value that indicates whether the process ended before its lane.
        let endedEarly: Bool
    }

    private struct State {
        /// The number of unfinished steps of each group that may have processes.
        var unfinished: [Int: Int]
        var running: [Int: [Running]] = [:]
    }

    /// The groups around each step that may have processes.
    private let owners: [Int: [Int]]
    /// The groups around each step that may have processes, by step ID.
    private let around: [String: [Int]]
    /// The IDs of the steps that may leave processes.
    private let startingSteps: Set<String>
    private let state: Mutex<State>

    /// - Parameter leavesProcesses: Returns a Boolean value that indicates whether a step may leave processes running.
    init(_ plan: Plan, leavesProcesses: (PlanStep) -> Bool) {
        let startingSteps = plan.steps.filter(leavesProcesses)
        let groups = Set(startingSteps.map(\.group))
        var owners: [Int: [Int]] = [:]
        var byID: [String: [Int]] = [:]
        var unfinished: [Int: Int] = [:]
        if !groups.isEmpty {
            for (index, step) in plan.steps.enumerated() {
                let around = sequence(first: step.group) { plan.groups[$0].parent }.filter(groups.contains)
                owners[index] = around
                byID[step.id] = around
                for group in around { unfinished[group, default: 0] += 1 }
            }
        }
        self.owners = owners
        around = byID
        self.startingSteps = Set(startingSteps.map(\.id))
        state = Mutex(State(unfinished: unfinished))
    }

    /// Returns a Boolean value that indicates whether a step leaves processes for the lane of another step or for an
    /// enclosing lane.
    func isNeeded(_ step: PlanStep, by other: StepID) -> Bool {
        startingSteps.contains(step.id) && around[other.description]?.contains(step.group) == true
    }

    func add(_ process: BackgroundProcess, of step: PlanStep) {
        let running = Running(step: StepID(step.id), name: step.name, process: process)
        state.withLock { $0.running[step.group, default: []].append(running) }
    }

    /// Records the end of a step. Stops the processes of groups that end with the step, in reverse order of their
    /// start, and returns them by group.
    func recordEnd(of step: Int) -> [(group: Int, processes: [Stopped])] {
        guard let groups = owners[step] else { return [] }
        return groups.compactMap { group in
            let running = state.withLock { state -> [Running] in
                state.unfinished[group, default: 0] -= 1
                return state.unfinished[group] == 0 ? state.running.removeValue(forKey: group) ?? [] : []
            }
            return running.isEmpty ? nil : (group, running.reversed().map(Self.stop))
        }
    }

    private static func stop(_ running: Running) -> Stopped {
        let wasRunning = running.process.stop()
        return Stopped(step: running.step, name: running.name, process: running.process, endedEarly: !wasRunning)
    }
}

extension BackgroundProcess {
    /// A description of the end of a process that ended before it was stopped.
    var reason: String {
        switch end {
        case .success(let report): OperationFailure(report).message
        case .failure(let error): error.description
        case nil: "it still runs"
        }
    }
}
