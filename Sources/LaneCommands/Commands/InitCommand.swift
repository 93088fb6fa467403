import Arguments
import Diagnostics
import Files
import LaneModel

/// `lane init`
enum InitCommand: Subcommand {
    static let name = "init"

    static let spec = CommandSpec(
        name, abstract: "Write the built-in lanes to Lanes/, to be changed at will.",
        discussion: "Files that are there are left as they are.")

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
