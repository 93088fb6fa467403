import OperatingSystem
import TestSupport
import Testing

extension EndToEnd {
    @Suite("After an interrupted release, the next one works without manual repair")
    struct InterruptedReleaseTests {
        static let lane = """
            parameters:
              version: { type: version, position: 1 }
            transaction: true
            steps:
              - require: { clean: true, version: "${{ parameters.version }}" }
              - bump: { version: "${{ parameters.version }}", files: [Sources/Mini/MiniVersion.swift] }
              - commit: {}
              - run: mkdir -p dist && cp Package.swift dist/a.txt
              - checksum: {}
              - tag: {}

            """

        /// Saves a package with 25 directories for `git` to write and remove, and restores it with `again`.
        private static let functions = """
            unset LANE_CHILD
            again() { cd /; rm -rf "$root"; cp -R "$root.kept" "$root"; cd "$root"; git update-index -q --refresh; }
            state() {
                git rev-parse HEAD; git for-each-ref; git status --porcelain; cat Sources/Mini/MiniVersion.swift .git/config
                git worktree list --porcelain | sed 1d; ls .git/worktrees 2>/dev/null; find .git -name '*.lock'
            }
            fail() { echo "$*"; tail -5 .git/out .git/next; }
            next() {
                if [ "$(git tag --list)" = "" ]; then
                    tag=
                else
                    tag=0.2.0
                fi
                "$0" release 0.3.0 > .git/next 2>&1 || fail "$*: the next release failed"
                if [ -n "$tag" ] && grep -q 'it had changed nothing' .git/next; then fail "$*: untrue"; fi
                [ "$(git worktree list | wc -l)" = 1 ] || fail "$*: a worktree remains"
                [ "$(git status --porcelain)" = "" ] || fail "$*: the checkout is changed"
                left=$(find .git -name '*.lock'; ls .git/lane)
                [ "$left" = "$(printf 'lock\\nreleased.json')" ] || fail "$*: leftovers: $left"
                [ "$(git rev-parse 0.3.0^{commit})" = "$(git rev-parse main)" ] || fail "$*: not released"
            }
            root=$PWD
            mkdir many; for i in $(seq 25); do mkdir many/$i; echo $i > many/$i/file; done
            git init -q -b main; git add -A; git commit -qm Begin
            before=$(state)
            cp -R "$root" "$root.kept"

            """

        private func expectNoOutput(_ script: String, environment: [String: String] = [:]) async throws {
            let package = try MiniPackage(lanes: ["release": Self.lane])
            let run = try await capture(
                Command(
                    "bash", ["-c", Self.functions + script + "\nrm -rf \"$root.kept\"", BuiltTool.lane.path],
                    environment: plainEnvironment().merging(environment) { $1 }, directory: package.path))
            #expect(run.report.succeeded, "\(run.errorText)")
            #expect(run.text.isEmpty, "\(run.text)")
        }

        /// The interruptions are spread over the release. `LANE_PROPERTY_CASES=30x` interrupts it after every 10 ms. The
        /// expectations hold for all of them.
        @Test(
            "Interrupted by two or three signals of any kind",
            arguments: [("INT INT", 2), ("INT INT INT", 25), ("TERM KILL", 2), ("INT TERM", 10)])
        func signals(names: String, first: Int) async throws {
            let step = max(1, 60 / PropertySettings(name: "signals", cases: 2).cases)
            let moments = stride(from: min(first, step), through: 60, by: step)
                .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: " ")
            try await expectNoOutput(
                """
                # Without job control a shell lets what it starts beside itself ignore INT.
                set -m
                for moment in \(moments); do
                    again
                    "$0" release 0.2.0 > .git/out 2>&1 & lane=$!
                    sleep 0.$moment
                    for name in \(names); do kill -$name $lane 2>/dev/null; sleep 0.0$((RANDOM % 7)); done
                    wait $lane
                    next "\(names) after 0.$moment"
                done
                """)
        }

        /// A fake `git`, first in the search path, interrupts the release at its nth call. A normal run tries every ninth, and
        /// `LANE_PROPERTY_CASES=9x` each of them.
        @Test(
            "Interrupted at any call of git, by SIGKILL of git and lane or by a failure of git",
            arguments: [("before", 2), ("after", 5), ("fail", 8)])
        func deaths(way: String, first: Int) async throws {
            let step = max(1, 54 / PropertySettings(name: "deaths", cases: 6).cases)
            try await expectNoOutput(
                #"""
                mkdir "$root.bin"; real=$(command -v git)
                cat > "$root.bin/git" <<END
                #!/bin/bash
                n=\$((\$(cat '$root.count') + 1)); echo \$n > '$root.count'
                [ \$n = "\$AT" ] || exec "$real" "\$@"
                case $WAY in
                    fail) echo 'no space left' >&2; exit 128 ;;
                    after) "$real" "\$@" ;;
                esac
                kill -KILL \$(cat '$root.lane') \$PPID \$\$
                END
                chmod +x "$root.bin/git"
                for n in $(seq $FIRST $STEP 60); do
                    again; echo 0 > "$root.count"
                    (echo $BASHPID > "$root.lane"; AT=$n PATH="$root.bin:$PATH" exec "$0" release 0.2.0 > .git/out 2>&1)
                    [ "$(cat "$root.count")" -ge $n ] || break
                    next "$WAY $n"
                done 2>/dev/null
                rm -rf "$root.bin" "$root.count" "$root.lane"
                """#, environment: ["WAY": way, "FIRST": "\(min(first, step))", "STEP": "\(step)"])
        }

        @Test("lane doctor finds the rest of a release, and --abort removes it or undoes the release")
        func abort() async throws {
            try await expectNoOutput(
                #"""
                sed -i.old 's/cp Package.swift/kill -KILL $PPID; cp Package.swift/' Lanes/release.yml; rm Lanes/release.yml.old
                git commit -qam Killed; before=$(state)
                ("$0" release 0.2.0) > .git/out 2>&1
                "$0" doctor | grep -q "transaction' remains of an interrupted run, which has changed nothing" || fail doctor
                "$0" release --abort > .git/out || fail abort
                grep -q '^removed the files of an interrupted run, which had changed nothing$' .git/out || fail removed
                [ "$(state)" = "$before" ] || fail state
                if "$0" doctor | grep -q 'left of an interrupted'; then fail well; fi
                [ "$("$0" release --abort)" = 'nothing to undo' ] || fail nothing
                git reset -q --hard HEAD^; before=$(state)
                "$0" release 0.2.0 > .git/out 2>&1 || fail release
                "$0" release 0.2.0 --abort | grep -q "^undid the release '0.2.0': 'main' is at" || fail back
                [ "$(state)" = "$before" ] || fail state
                next after
                """#)
        }
    }
}
