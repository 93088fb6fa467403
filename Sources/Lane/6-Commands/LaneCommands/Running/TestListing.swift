import Arguments
import Events
import Expressions
import LaneModel
import OperatingSystem
import Reports
import TestActions
import TestEngine
import Text

/// The option `--list` of `lane test`: builds the tests and lists them.
struct TestListing {
    let root: String
    let plan: Plan
    let context: EvaluationContext
    let request: TestRequest

    /// A test with the text of its rule.
    private typealias Entry = (info: TestInfo, rule: String?)

    func run(in world: World) throws(CommandFailure) -> ExitStatus {
        world.watchSignals()
        let action = request.action()
        var tests: [Entry] = []
        for step in plan.steps where step.task.action == .builtIn(.test) {
            tests += try list(step, action, in: world)
        }
        world.output.write(request.arguments[LaneOptions.json] ? Self.json(tests) : Self.text(tests))
        return .done
    }

    private func list(_ step: PlanStep, _ action: TestAction, in world: World) throws(CommandFailure) -> [Entry] {
        let (own, environment, package) = try prepared(step)
        let settings = action.merged(own)
        do throws(OperationFailure) {
            var options = try TestOptions(settings)
            let unpacked = try TestArchiving(settings: settings, directory: package, environment: environment)
                .unpacked()
            defer { unpacked?.scratch.remove() }
            unpacked?.archive.adapt(&options)
            let changed = ChangedTests(
                directory: package, environment: environment, processes: world.processes)
            if let selection = try changed.select(settings, &options) {
                for line in selection.lines { world.errors.writeLine(line) }
            }
            let timings = TestHistory.timings(settings)
            let engine = TestEngine(
                options: options, package: unpacked?.directory ?? package, environment: environment,
                processes: world.processes, cancellation: world.cancellation,
                history: TestHistory(root: root, package: package),
                built: unpacked?.archive.tests, timings: timings,
                events: BuildErrors(output: world.errors))
            let (tests, verdict): ([Entry], TestVerdict)
            do throws(TestEngineFailure) {
                (tests, verdict) = try engine.list()
            } catch {
                (tests, verdict) = ([], TestVerdict(error))
            }
            if verdict.hasNoTests, settings.bool("allow-empty") == true { return [] }
            if verdict.status != .done {
                throw OperationFailure(status: verdict.rawValue, verdict.reason ?? "there are no tests to list")
            }
            return tests
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Returns the settings and the environment of the step, and the directory of its package.
    private func prepared(_ step: PlanStep) throws(CommandFailure) -> (Settings, [String: String], String) {
        let seen: EvaluationContext
        // The directory of the step.
        let own: String?
        do throws(Diagnostic) {
            seen = try plan.context(of: step, from: context).adding(step.task.environment)
            own = try step.task.directory?.evaluate(in: seen).text
        } catch {
            throw CommandFailure(Diagnostics([error]))
        }
        do {
            let settings = try step.task.settings.evaluate(in: seen)
            let directory = settings.string("directory") ?? own ?? "."
            return (settings, seen.environment, absolutePath(directory, from: root))
        } catch {
            throw CommandFailure(error)
        }
    }

    private static func text(_ tests: [Entry]) -> String {
        tests.map { test in "\(test.info.id)\(test.rule.map { "  (\($0))" } ?? "")\n" }.joined()
    }

    private static func json(_ tests: [Entry]) -> String {
        JSONWriter.document { writer in
            writer.member("version", 1)
            writer.array("tests") { writer in
                for test in tests { write(test.info, rule: test.rule, to: &writer) }
            }
        }
    }

    private static func write(_ test: TestInfo, rule: String?, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("library", test.id.library.rawValue)
            writer.member("module", test.id.module)
            writer.member("suite", test.id.suite)
            writer.member("name", test.id.name)
            if let name = test.displayName { writer.member("displayName", name) }
            if let location = test.location {
                writer.member("path", location.path)
                writer.member("line", location.line)
            }
            if let rule { writer.member("rule", rule) }
        }
    }
}

/// A sink that prints the errors of a build, the advice on them, and messages.
private struct BuildErrors: EventSink {
    let output: OutputChannel

    func send(_ kind: LaneEvent.Kind) {
        switch kind {
        case .buildDiagnostic(let diagnostic) where diagnostic.isErrorOrAdvice:
            let place = diagnostic.location.map { "\($0.path):\($0.line): " } ?? ""
            output.writeLine("\(place)\(diagnostic.severity.rawValue): \(diagnostic.message)")
        case .message(let message): output.writeLine("\(message.level.rawValue): \(message.text)")
        default: break
        }
    }
}
