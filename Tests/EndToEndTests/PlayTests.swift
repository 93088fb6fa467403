import OperatingSystem
import TestSupport
import Testing

/// Tests the demo in a terminal of tmux, which sends mouse reports and captures the screen.
@Suite("tracer-demo play in a terminal", .startsPrograms, .enabled(if: fileExists("/usr/bin/tmux"), "needs tmux"))
struct PlayTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// The functions of a script: `shows` waits for a text, and `mouse` sends a mouse report.
    private static let functions = """
        tmux() { command tmux -S "$PWD/socket" -f /dev/null "$@"; }
        screen() { tmux capture-pane -p -t play; }
        shows() {
            for attempt in $(seq 200); do
                screen | grep -qF -- "$1" && return
                sleep 0.05
            done
            echo "never shown: $1"; screen
        }
        mouse() { tmux send-keys -t play -l "$(printf '\\033[<%s;%s;%s%s' "$@")"; }
        unset TMUX

        """

    /// Runs a script with `play` in a terminal of 60 by 30 cells, and returns the output of the script.
    private func play(_ words: String, script: String) throws -> String {
        try run(
            """
            tmux new-session -d -s play -x 60 -y 30 \
                "NO_COLOR=1 '$0' play \(words); echo ended \\$?; stty -a; exec cat"
            shows '0 % drawn'
            \(script)
            shows 'ended'
            shows ' icanon'
            screen
            tmux kill-server
            """)
    }

    private func run(_ script: String) throws -> String {
        var environment = plainEnvironment()
        environment["LC_ALL"] = "C.UTF-8"
        let run = try ChildRunner().capture(
            Command(
                "bash", ["-c", Self.functions + script, BuiltTool.demo.path], environment: environment,
                directory: directory.path),
            limits: RunLimits(timeout: .seconds(60)))
        #expect(!run.text.contains("never shown"), "\(run.text)\(run.errorText)")
        return run.text
    }

    /// Starts a shell with job control, which is necessary to stop and continue a job.
    @Test("Control-Z restores the terminal, and fg continues", arguments: ["tmux send-keys -t play C-z", "stop"])
    func suspension(command: String) throws {
        let text = try run(
            """
            stop() {
                terminal=$(tmux display-message -p -t play '#{pane_tty}')
                kill -TSTP $(ps -t "$terminal" -o pid=,comm= | sed -n 's/ tracer-demo$//p')
            }
            tmux new-session -d -s play -x 60 -y 30 "PS1='ready> ' NO_COLOR=1 bash --norc -i"
            shows 'ready>'
            tmux send-keys -t play "'$0' play l" Enter
            shows '0 % drawn'
            \(command)
            shows 'Stopped'
            tmux send-keys -t play 'clear; stty -a' Enter
            shows ' icanon'
            screen
            tmux send-keys -t play 'clear; fg' Enter
            shows '0 % drawn'
            mouse 0 23 4 M; for row in 10 17 25 27; do mouse 32 23 $row M; done; mouse 0 23 27 m
            shows '100 % drawn'
            tmux send-keys -t play q
            shows 'of 100'
            tmux kill-server
            """)
        #expect(text.contains(" echo ") && !text.contains("% drawn"))
    }

    @Test("A letter is traced with the mouse, and the terminal is restored") func mouse() throws {
        let text = try play(
            "T --save trace.json",
            script: """
                mouse 0 23 2 M; for row in 8 14 20; do mouse 32 23 $row M; done; mouse 0 23 20 m
                mouse 0 9 2 M; for column in 20 36; do mouse 32 $column 2 M; done; mouse 0 36 2 m
                shows '100 % drawn'
                tmux send-keys -t play q
                """)
        #expect(text.contains("ended 0") && text.contains(" echo "))
        #expect(!text.contains("% drawn"), "the screen before play is shown again")
        #expect(try directory.read("trace.json").contains("\"letter\":\"T\""))
    }

    @Test("A signal restores the terminal", arguments: [("TERM", 143), ("HUP", 129), ("INT", 130)])
    func signal(_ name: String, _ status: Int) throws {
        let text = try play(
            "g", script: "kill -\(name) $(ps -o pid= --ppid $(tmux display-message -p -t play '#{pane_pid}'))")
        #expect(text.contains("ended \(status)") && text.contains(" echo "))
        #expect(!text.contains("% drawn"))
    }
}
