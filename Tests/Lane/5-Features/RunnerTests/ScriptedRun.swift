import Actions
import Events
import Expressions
import OperatingSystem
import Records
import Runner
import StepActions
import Synchronization
import TestSupport
import Text
import YAML

@testable import LaneModel

/// A recorder of the events of a run, with accessors for expectations.
final class Recorder: EventReceiver, @unchecked Sendable {
    // Written under the lock of the stream, and read after the run.
    private(set) var events: [LaneEvent] = []

    func receive(_ event: LaneEvent, _ run: RunSummary) {
        events.append(event)
    }

    /// The outcomes by step ID.
    var outcomes: [String: StepEnd.Outcome] {
        var found: [String: StepEnd.Outcome] = [:]
        for event in events {
            if case .stepEnded(let end) = event.kind, let step = event.step { found[step.description] = end.outcome }
        }
        return found
    }

    /// The IDs of steps in the order of their start.
    var started: [String] {
        events.compactMap { event in
            if case .stepStarted = event.kind { event.step?.description } else { nil }
        }
    }

    var retries: [StepRetry] {
        events.compactMap { event in
            if case .stepRetried(let retry) = event.kind { retry } else { nil }
        }
    }

    var messages: [String] {
        events.compactMap { event in
            if case .message(let message) = event.kind { "\(message.level): \(message.text)" } else { nil }
        }
    }

    /// The complete output of child processes.
    var output: String {
        let bytes = events.flatMap { event -> [UInt8] in
            if case .stepOutput(let chunk) = event.kind { chunk.bytes } else { [] }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// An action whose behavior a test defines.
struct Script: StepAction {
    let body: @Sendable (Settings, StepContext) throws(OperationFailure) -> StepResult

    init(_ body: @escaping @Sendable (Settings, StepContext) throws(OperationFailure) -> StepResult) {
        self.body = body
    }

    func run(_ settings: Settings, in context: StepContext) throws(OperationFailure) -> StepResult {
        try body(settings, context)
    }

    func summary(of settings: Settings) -> String { "follows a script" }
}

/// A scripted plan and run. Steps have short names, and their actions and environment are scripted.
struct ScriptedRun {
    var steps: [PlanStep] = []
    var groups = [PlanGroup(path: "lane", lane: "lane")]
    var secrets: [String] = []
    var environment = ["PATH": "/usr/bin:/bin"]
    var actions: [String: any StepAction] = [
        "pass": Script { _, _ in StepResult() },
        "fail": Script { _, _ throws(OperationFailure) in throw OperationFailure(status: 7, "no good") },
        "run": RunAction(),
    ]
    var options = RunOptions(jobs: 2, grace: .seconds(5))
    /// A Boolean value that indicates whether the run writes `.lane/runs` and the cache of steps.
    var keepsRecords = false
    var processes: any ProcessRunner = ChildRunner()
    var transactions: (any ReleaseSource)?
    var root = "/"
    let cancellation = Cancellation()

    /// Adds a step with a scripted action. `after` contains the IDs of its dependencies.
    mutating func add(
        _ id: String, _ action: String = "pass", after: [String] = [], group: Int = 0,
        stage: PlanStep.Stage = .main, condition: String? = nil, environment: [(String, Template)] = [],
        timeout: Duration? = nil, retry: Retry? = nil, continuesOnError: Bool = false, isInteractive: Bool = false,
        settings: [(String, Value)] = [], inputs: [String] = [],
        optionalInputs: Set<Int> = [], outputs: [String] = []
    ) {
        let dependencies = after.compactMap { name in steps.firstIndex { $0.id == "\(groups[$0.group].path)/\(name)" } }
        precondition(dependencies.count == after.count, "a step depends on one that is not there")
        let members = settings.map { SettingsTemplate.Member(name: $0.0, node: .value($0.1)) }
        let expression = condition.map { text in
            do throws(Diagnostic) {
                return try Expression(condition: .text(text))
            } catch {
                preconditionFailure("\(text): \(error.message)")
            }
        }
        steps.append(
            PlanStep(
                id: "\(groups[group].path)/\(id)", name: id, group: group,
                schedule: StepSchedule(stage: stage, condition: expression, dependencies: dependencies),
                task: StepTask(
                    action: .custom(action), settings: SettingsTemplate(members: members),
                    environment: environment.map { ($0.0, $0.1) }, isInteractive: isInteractive),
                limits: StepLimits(timeout: timeout, retry: retry, continuesOnError: continuesOnError),
                files: StepFiles(
                    inputs: inputs.map { Template($0) }, optionalInputs: optionalInputs,
                    outputs: outputs.map { Template($0) })))
    }

    mutating func script(
        _ name: String, _ body: @escaping @Sendable (Settings, StepContext) throws(OperationFailure) -> StepResult
    ) {
        actions[name] = Script(body)
    }

    func run() -> (status: Int32, record: Recorder) {
        let recorder = Recorder()
        let start = Monotonic.now
        let receivers: [any EventReceiver] =
            keepsRecords ? [recorder, RunRecorder(RunStore(root: root))] : [recorder]
        let runner = LaneRunner(
            plan: Plan(lane: "lane", steps: steps, groups: groups, secrets: secrets), actions: actions,
            in: RunEnvironment(
                root: root, variables: environment, processes: processes, cancellation: cancellation,
                now: { 0 }, transactions: transactions),
            events: EventStream(elapsed: { Monotonic.now - start }, receivers: receivers), options: options)
        return (runner.run(), recorder)
    }
}
