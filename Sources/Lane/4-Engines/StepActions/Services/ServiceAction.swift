package import Actions
import Expressions
package import LaneModel
package import OperatingSystem
import Text

/// The `service` action, which starts a program or a container that runs until the lane ends, and waits until it is
/// ready.
package struct ServiceAction: StepAction {
    package init() {}

    package var leavesProcesses: Bool { true }

    package func summary(of settings: Settings) -> String {
        if let image = settings.string("image") { return "starts a container of \(image)" }
        return "starts \(command(of: settings) ?? "nothing")"
    }

    package func command(of settings: Settings, in directory: String) -> String? { command(of: settings) }

    private func command(of settings: Settings) -> String? {
        settings["run"].flatMap { RunAction().command(of: Settings(["command": $0], variables: settings.variables)) }
    }

    package func run(_ settings: Settings, in context: StepContext) throws(OperationFailure) -> StepResult {
        let port = try Port.chosen(for: settings)
        let own = settings.variables + (port.map { [("PORT", "\($0)")] } ?? [])
        let environment = context.environment.merging(own) { $1 }
        let container = try settings.string("image").map { (image) throws(OperationFailure) in
            try Container(image, settings, environment, in: context)
        }
        let readiness = Readiness(settings, port: port, environment: environment, container)
        let service = try start(settings, port, environment, container, readiness, in: context)
        try readiness.wait(for: service, in: context)
        return StepResult(outputs: port.map { ["port": .integer($0)] } ?? [:])
    }

    private func start(
        _ settings: Settings, _ port: Int?, _ environment: [String: String], _ container: Container?,
        _ readiness: Readiness, in context: StepContext
    ) throws(OperationFailure) -> BackgroundProcess {
        func command(_ program: String, _ arguments: [String]) -> Command {
            Command(
                program, arguments, environment: environment, directory: context.workingDirectory, output: .merged)
        }
        let receive: @Sendable ([UInt8]) -> Void = { [line = readiness.line] in line?.receive($0) }
        if let container {
            let command = command(container.client.program, container.arguments(publishedAt: port))
            return try context.startInBackground(command, receive: receive) { [processes = context.cleanUp] in
                container.remove(by: processes)
            }
        }
        let words = ShellCommand.words(of: settings["run"])
        guard let program = words.first, !program.isEmpty else {
            throw OperationFailure(status: ExitStatus.refused.rawValue, "there is no command to run")
        }
        return try context.startInBackground(command(program, Array(words.dropFirst())), receive: receive) {}
    }
}
