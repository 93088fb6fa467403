import LaneModel
import OperatingSystem
import TestSupport
import Testing

@Suite struct CompletionTests {
    @Test func completionsAreThoseOfTheGivenDirectory() throws {
        let text = "steps: [run: [date]]\n"
        var session = try Session(["Lanes/here.yml": text, "other/Lanes/there.yml": text])
        session.environment["HOME"] = session.directory.path
        for words in [["-C", "other"], ["-Cother"], ["--directory=other"], ["-C", "~/other"]] {
            let outcome = try session.run(["--complete"] + words + ["t"])
            #expect(outcome.output == "there\tRun the lane 'there'.\n:none\n", "\(words)")
        }
        #expect(try session.run("--complete", "-C", "nowhere", "").output == "")
        #expect(try session.run("--complete", "-C", "o").output == ":directories\n")
    }

    /// A package that the user has just cloned could run anything.
    @Test func aCompletionRunsNoProgramOfThePackage() throws {
        var session = try Session(["Lanes/here.yml": "steps: [run: [date]]\n"])
        let action = "#!/bin/sh\ntouch ran\necho '{\"summary\": \"x\"}'\n"
        try session.directory.write(action, to: "Lanes/actions/own", mode: 0o755)
        session.processes = ChildRunner()
        #expect(try session.run("--complete", "h").output.hasPrefix("here\t"))
        #expect(!fileExists("\(session.directory.path)/ran"))
        _ = try session.run("list")
        #expect(fileExists("\(session.directory.path)/ran"))
    }

    @Test func wordsThatNameALane() throws {
        let session = try Session(["Lanes/here.yml": "summary: It is here\nsteps: [run: [date]]\n"])
        #expect(try session.run("--complete", "history", "").output == "here\tIt is here\n:none\n")
    }

    @Test func bashQuotesInsertedWords() throws {
        var session = try Session([
            "Lanes/l.yml": "parameters: { p: { type: enum, values: [a b, 'a;c', plain] } }\nsteps: [run: [date]]\n"
        ])
        session.processes = ChildRunner()
        let reply = try session.run("--complete", "l", "--p", "").output
        try session.directory.write(reply, to: "reply")
        try session.directory.write(
            "#!/bin/sh\nprintf '%s\\n' \"$4\" >> asked\ncat reply\n", to: "lane", mode: 0o755)
        try session.directory.write(try session.run("completions", "bash").output, to: "completion")
        func inserted(_ current: String) throws -> String {
            let script = """
                . ./completion
                COMP_WORDS=(./lane l --p \(ShellWords.quoted(current))) COMP_CWORD=3
                _lane
                printf '%s\\n' "${COMPREPLY[@]}"
                """
            let run = try ChildRunner().capture(
                Command("bash", ["-c", script], environment: session.environment, directory: session.directory.path))
            return run.text
        }
        #expect(try inserted("") == "a\\ b\na\\;c\nplain\n")
        #expect(try inserted("'a ") == "a b\na;c\nplain\n")
        #expect(try inserted("a\\ ") == "a\\ b\na\\;c\nplain\n")
        #expect(try session.directory.read("asked") == "\na \na \n")
    }

    /// Writes the completion of bash, and a program `lane` that records its words in `asked` and prints `reply`.
    private func bashSession(_ files: [String: String] = [:]) throws -> Session {
        var session = try Session(files)
        session.processes = ChildRunner()
        try session.directory.write(
            "#!/bin/sh\nshift; for word in \"$@\"; do printf '<%s>' \"$word\"; done >> asked\ncat reply\n", to: "lane",
            mode: 0o755)
        try session.directory.write(try session.run("completions", "bash").output, to: "completion")
        return session
    }

    /// Returns the completions that bash offers after words, which it has split at the characters `breaks`.
    private func offered(_ words: String, splitAt breaks: String = "=:", in session: Session) throws -> String {
        let script = """
            . ./completion
            compopt() { :; }
            COMP_WORDBREAKS='\(breaks)' COMP_WORDS=(./lane l \(words)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _lane
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        return try ChildRunner().capture(
            Command("bash", ["-c", script], environment: session.environment, directory: session.directory.path)
        ).text
    }

    @Test func bashSplitsWordsAtTheEqualsSign() throws {
        let session = try bashSession([
            "Lanes/l.yml": "parameters: { p: { type: enum, values: [plain, a b] } }\nsteps: [run: [date]]\n"
        ])
        try session.directory.write(try session.run("--complete", "l", "--p=").output, to: "reply")
        #expect(try offered("--p =", in: session) == "plain\na\\ b\n")
        #expect(try offered("--q = x --p = pl", in: session) == "plain\na\\ b\n")
        #expect(try offered("--p=", splitAt: " ", in: session) == "--p=plain\n--p=a\\ b\n")
        #expect(try session.directory.read("asked") == "<l><--p=><l><--q=x><--p=pl><l><--p=>")
    }

    @Test func bashSplitsWordsAtColons() throws {
        let session = try bashSession(["a:b/c d": "", "reply": "eu:west\neu:a b\n:none\n"])
        #expect(try offered("--to eu", in: session) == "eu:west\neu:a\\ b\n")
        for words in ["--to eu :", "--to eu : w", "--to = eu : w"] {
            #expect(try offered(words, in: session) == "west\na\\ b\n")
        }
        #expect(try offered("--to=eu : w", splitAt: ":", in: session) == "west\na\\ b\n")
        #expect(try offered("--to eu:w", splitAt: " ", in: session) == "eu:west\neu:a\\ b\n")
        #expect(try offered("--to \"'eu:w\"", in: session) == "eu:west\neu:a b\n")
        try session.directory.write(":files\n", to: "reply")
        #expect(try offered("--to a : b/", in: session) == "b/c d\n")
        #expect(
            try session.directory.read("asked") == """
                <l><--to><eu><l><--to><eu:><l><--to><eu:w><l><--to=eu:w><l><--to=eu:w><l><--to><eu:w><l><--to><eu:w>\
                <l><--to><a:b/>
                """)
    }

    @Test func otherLanesFollowALane() throws {
        let text = "parameters: { p: { type: enum, values: [x, y] } }\nsteps: [run: [date]]\n"
        let session = try Session([
            "Lanes/here.yml": text, "Lanes/there.yml": "aliases: [th]\n\(text)",
            "Lanes/to.yml": "parameters: { to: { type: enum, values: [eu, us], position: 1 } }\nsteps: [run: [date]]\n",
            "Lanes/unit.yml": "steps: [test: {}]\n", "sub/Lanes/below.yml": text,
        ])
        func offered(_ line: String) throws -> [String] {
            let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            return try session.run(["--complete"] + words).output.split(separator: "\n").compactMap { row in
                row.hasPrefix(":") ? nil : String(row.prefix { $0 != "\t" })
            }
        }
        #expect(try offered("here t") == ["there", "th", "to"])
        #expect(try offered("here + t") == ["there", "th", "to"])
        #expect(try offered("to eu + t") == ["there", "th", "to"])
        #expect(try offered("here --p x + to ") == ["eu", "us"])
        #expect(try offered("here + there --p ") == ["x", "y"])
        #expect(try offered("here th --p ") == ["x", "y"])
        #expect(try offered("to t") == [])
        #expect(try offered("here --p ") == ["x", "y"])
        #expect(try offered("-C sub below + b") == ["below"])
        #expect(try !offered("unit ").contains("here"))
        #expect(try !offered("here -- ").contains("there"))
    }

    @Test(.enabled(if: hasTool("fish"), "needs fish"))
    func fishCompletesWordsPathsAndValues() throws {
        var session = try Session([
            "Lanes/l.yml": "parameters: { p: { type: enum, values: [plain, a b] } }\nsteps: [run: [date]]\n",
            "in.xml": "",
        ])
        session.processes = ChildRunner()
        try session.directory.write(try session.run("completions", "fish").output, to: "lane.fish")
        func offered(_ words: String..., toComplete line: String) throws -> String {
            try session.directory.write(try session.run(["--complete"] + words).output, to: "reply")
            try session.directory.write("#!/bin/sh\ncat reply\n", to: "lane", mode: 0o755)
            let script = "source lane.fish; set PATH . $PATH; complete -C '\(line)'"
            return try ChildRunner().capture(
                Command(
                    "fish", ["-N", "-c", script], environment: session.environment, directory: session.directory.path)
            ).text
        }
        #expect(try offered("l", "--p", "", toComplete: "lane l --p ") == "a b\nplain\n")
        #expect(try offered("l", "--p=p", toComplete: "lane l --p=p") == "--p=plain\n")
        #expect(try offered("l", "--junit", "i", toComplete: "lane l --junit i") == "in.xml\n")
        #expect(try offered("l", "--junit=i", toComplete: "lane l --junit=i") == "--junit=in.xml\n")
    }

    @Test func completionsNameLanesAndTheirOptions() throws {
        let session = try Session(["Lanes/release.yml": Session.release])
        #expect(try session.run("--complete", "rel").output == "release\tCut a release.\n:none\n")
        #expect(try session.run("--complete", "release", "1.0.0", "--pu").output.hasPrefix("--publish\t"))
    }
}
