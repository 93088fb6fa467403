import Arguments
import Diagnostics
import Files
import LaneModel

/// The command `lane init`.
enum InitCommand: Subcommand {
    static let name = "init"

    private static let ci = Key<Bool>.flag("ci", help: "Write the CI files as well, as 'lane ci generate' does.")

    static let spec = CommandSpec(
        name, abstract: "Write the built-in lanes to Lanes/, so that you can change them.",
        discussion: "Prints what it found in the package and what it wrote. Existing files are not changed.",
        parameters: [ci.spec])

    static func run(_ arguments: ParsedArguments, in world: World) throws(CommandFailure) -> ExitStatus {
        let root = try Project.root(around: world.directory)
        let survey = PackageSurvey(root: root, in: world)
        for finding in survey.findings {
            world.output.writeLine("found    \(TerminalText.padded(finding.label, to: 11))\(finding.text)")
        }
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
        if arguments[ci] {
            var inner = world
            inner.arguments = [CICommand.name, "generate"]
            let status = Program.run(in: inner)
            guard status == .done else { return status }
        }
        // Without an address, the CI files need a configuration.
        let canGenerate = !survey.hasCI && !arguments[ci] && !LaneVersion.repository.isEmpty
        let next = canGenerate ? "lane ci generate" : "lane check"
        world.output.writeLine("next     lane test\nnext     \(next)")
        return .done
    }
}
