import Arguments
import Diagnostics
import Files
import LaneModel

/// The command `lane init`.
enum InitCommand: Subcommand {
    static let name = "init"

    static let spec = CommandSpec(
        name, abstract: "Write the built-in lanes to Lanes/, so that you can change them.",
        discussion: "Existing files are not changed.")

    static func run(_ arguments: ParsedArguments, in world: World) throws(CommandFailure) -> ExitStatus {
        let root = try Project.root(around: world.directory)
        do throws(FileError) {
            try makeDirectories("\(root)/Lanes")
            for source in BuiltInLanes.sources {
                let path = "\(root)/\(source.path)"
                if fileExists(path) {
                    world.output.writeLine("kept     \(source.path)")
                } else {
                    try writeFile(source.bytes, to: path)
                    world.output.writeLine("written  \(source.path)")
                }
            }
        } catch {
            throw CommandFailure(.cannotWrite, error.description)
        }
        return .done
    }
}
