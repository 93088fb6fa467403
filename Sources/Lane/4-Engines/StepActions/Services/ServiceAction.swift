package import Actions
import Expressions
package import LaneModel
package import OperatingSystem
import Text

/// The `service` action, which starts a program or a container that runs until the lane ends, and waits until it is
/// ready.
package struct ServiceAction: BuiltInStepAction {
    package static let schema = ActionSchema(
        "service", "Start a program or a container that runs until the lane ends, and wait until it is ready",
        settings: [
            SettingSchema(
                "run", .either([.script, .list(.string)]),
                "The shell script, or the program and its arguments; the working directory is that of the step"),
            SettingSchema("image", .string, "The container image, in place of 'run'"),
            SettingSchema("arguments", .list(.string), "The arguments of the container's program"),
            SettingSchema(
                "variables", .list(.string), "The step's environment variables that are passed to the container"),
            SettingSchema(
                "port", .integer(0...65535),
                "The port of the service; 0 selects a free port and passes it to 'run' as PORT; a container's port is published at a free port"
            ),
            SettingSchema(
                "ready-line", .string,
                "Wait for this text in the output, and then for the port; by default wait until the service accepts connections"
            ),
            SettingSchema("ready-command", .script, "Wait until this shell script succeeds"),
            SettingSchema(
                "ready-timeout", .timeLimit, "The maximum time until the service is ready", default: .string("60s")),
        ],
        outputs: [
            ActionOutput("port", .integer, "The port of the service on this machine, if it has one")
        ],
        example: """
            - id: web
              service: { run: 'python3 -m http.server "$PORT"', port: 0 }
            - run: [curl, --fail, "http://127.0.0.1:${{ steps.web.port }}/"]
            - id: database
              service:
                image: postgres:17
                variables: [POSTGRES_PASSWORD]
                port: 5432
                arguments: [-c, fsync=off]
                ready-timeout: 2m
              env: { POSTGRES_PASSWORD: test }
            - service: { run: [redis-server], ready-command: redis-cli ping }
            - service: { run: ./worker, ready-line: waiting for jobs }
            """)

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
