import Actions
import Expressions
package import LaneModel
package import OperatingSystem
import Synchronization
package import Text

/// The outputs of the commands in `let` and in defaults. Each command runs once.
package final class CommandOutputs: Sendable {
    private let root: String
    private let secrets: Set<String>
    private let processes: any ProcessRunner
    private let cancellation: Cancellation
    private let known = Mutex<[(call: Call, text: String)]>([])

    /// A command and all factors of its output except files.
    private struct Call: Equatable {
        let words: [String]
        let environment: [String: String]
    }

    /// - Parameters:
    ///   - root: The directory in which the commands run.
    ///   - secrets: The names of the package's secrets. A command gets only the secrets that it declares.
    ///   - cancellation: A cancellation that ends a running command.
    package init(
        root: String, secrets: Set<String>, processes: any ProcessRunner, cancellation: Cancellation
    ) {
        self.root = root
        self.secrets = secrets
        self.processes = processes
        self.cancellation = cancellation
    }

    /// Returns the output of a command without line breaks at the end, like `$(…)` in a shell.
    ///
    /// - Parameters:
    ///   - settings: The evaluated settings of the command.
    ///   - environment: The environment variables, including all secrets.
    /// - Throws: An error at the location of the command if the command fails, with the last line of standard error.
    package func text(
        of command: ValueCommand, _ settings: Settings, in environment: [String: String]
    ) throws(Diagnostic) -> String {
        var environment = environment
        for name in secrets.subtracting(command.secrets) { environment[name] = nil }
        for (name, value) in settings.variables { environment[name] = value }
        let call = Call(words: ShellCommand.words(of: settings[ValueCommand.setting]), environment: environment)
        if let output = known.withLock({ $0.first { $0.call == call } }) { return output.text }
        let text = try run(call, for: command)
        known.withLock { $0.append((call, text)) }
        return text
    }

    private func run(_ call: Call, for command: ValueCommand) throws(Diagnostic) -> String {
        guard let program = call.words.first, !program.isEmpty else {
            throw Diagnostic(.error, "there is no command to run", at: command.span)
        }
        let run: CapturedRun
        do {
            run = try processes.capture(
                Command(program, Array(call.words.dropFirst()), environment: call.environment, directory: root),
                limits: RunLimits(cancellation: cancellation))
        } catch {
            let failure = OperationFailure(error)
            throw Diagnostic(.error, failure.message, at: command.span)
        }
        guard run.report.succeeded else {
            let secrets = command.secrets.reduce(into: [:]) { $0[$1] = call.environment[$1] }
            let lines = run.errorText.split(whereSeparator: \.isNewline)
            let reason = lines.last.map { ": " + SecretMask(secrets).masked(String($0)) } ?? ""
            let end =
                run.report.stoppedBy == nil ? "failed with exit status \(run.report.status)\(reason)" : "was cancelled"
            throw Diagnostic(.error, "the command \(end)", at: command.span)
        }
        guard !run.standardOutput.contains(0) else {
            throw Diagnostic(.error, "the output of the command contains NUL", at: command.span)
        }
        var output = run.standardOutput[...]
        while let last = output.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { output.removeLast() }
        return String(decoding: output, as: UTF8.self)
    }
}
