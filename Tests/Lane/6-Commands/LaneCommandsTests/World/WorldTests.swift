import OperatingSystem
import TestSupport
import Testing
import Text

@testable import LaneCommands

/// A terminal of 100 columns at both standard streams, which the process of the tests does not need to have.
@Suite struct WorldTests {
    private func world(_ environment: [String: String]) -> World {
        World(
            program: Program(actions: ActionTable([]), subcommands: [], releases: NoReleases()), arguments: [],
            environment: environment, directory: "/", output: OutputChannel(descriptor: 1, name: "standard output"),
            errors: OutputChannel(descriptor: 2, name: "standard error"), processes: ChildRunner(),
            cancellation: Cancellation(), watchSignals: {}, now: { 0 }, elapsed: { .zero },
            terminal: Terminal(
                contains: { $0 == 1 }, size: { $0 == 1 ? TerminalSize(columns: 100, rows: 30) : nil }, readLine: nil))
    }

    @Test("Live output needs a terminal that is not dumb, outside CI")
    func liveOutput() {
        #expect(world(["TERM": "xterm"]).isInteractive)
        #expect(!world(["TERM": "dumb"]).isInteractive)
        #expect(!world(["TERM": "xterm", "CI": "true"]).isInteractive)
    }

    @Test("The width is that of COLUMNS, of the terminal, or 80")
    func widths() {
        let world = world([:])
        #expect(world.width(of: world.output) == 100)
        #expect(world.width(of: world.errors) == 80)
        let narrow = self.world(["COLUMNS": "40"])
        #expect(narrow.width(of: narrow.output) == 40)
        #expect(narrow.screenSize.columns == 100)
    }

    @Test("Only the terminal has colors, unless variables decide")
    func colors() {
        let world = world(["TERM": "xterm"])
        #expect(world.style(for: world.output).isColored && !world.style(for: world.errors).isColored)
        #expect(!self.world(["TERM": "xterm", "NO_COLOR": "1"]).style(for: world.output).isColored)
        #expect(self.world(["FORCE_COLOR": "1"]).style(for: world.errors).isColored)
        for variable in ["CLICOLOR", "FORCE_COLOR"] {
            #expect(!self.world(["TERM": "xterm", variable: "0"]).style(for: world.output).isColored)
            #expect(self.world(["TERM": "xterm", variable: "1"]).style(for: world.output).isColored)
            #expect(self.world([variable: "0", "CLICOLOR_FORCE": "1"]).style(for: world.output).isColored)
        }
    }
}
