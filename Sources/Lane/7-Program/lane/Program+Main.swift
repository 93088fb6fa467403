import LaneCommands
import OperatingSystem
import Release
import Text

extension Program {
    /// The program with all actions and commands.
    static let lane = Program(
        actions: .builtIn, subcommands: [VerifyCommand.self], releases: GitTransactionSource())

    /// Runs the program. Returns the exit status of the process.
    static func main() -> Int32 {
        // These words are parsed before `World` is created, which takes most of the time of a short run.
        let words = World.commandLineWords()
        if words == ["--version"] { return printVersion() }
        if words.count == 2, words[0] == KilledRunProcesses.guardWord {
            KilledRunProcesses(root: words[1]).guardRun()
            return ExitStatus.done.rawValue
        }
        openStandardStreams()
        let cancellation = Cancellation()
        guard let world = World.live(arguments: words, cancellation: cancellation) else {
            return printMissingDirectory()
        }
        EnvironmentBlock.clear()
        denyInspection(outerRoot: EnvironmentBlock.outerRoot)
        let status = run(in: world)
        OrphanGuard.dismiss()
        SignalWatch.end()
        if cancellation.isCancelled { reraise(cancellation.signal) }
        if let unwritten = world.output.writeError ?? world.errors.writeError {
            world.errors.writeLine("error: \(unwritten)")
            return ExitStatus.cannotWrite.rawValue
        }
        return status.rawValue
    }

    private static func printVersion() -> Int32 {
        let output = OutputChannel(descriptor: 1, name: "standard output")
        output.writeLine(LaneVersion.full)
        return (output.writeError == nil ? ExitStatus.done : .cannotWrite).rawValue
    }

    private static func printMissingDirectory() -> Int32 {
        let errors = OutputChannel(descriptor: 2, name: "standard error")
        errors.writeLine("error: the current directory was deleted\nhint: change to an existing directory")
        return ExitStatus.fileNotFound.rawValue
    }
}
