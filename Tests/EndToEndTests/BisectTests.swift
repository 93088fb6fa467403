import Processes
import TestSupport
import Testing

extension EndToEnd {
    @Suite("lane bisect finds the commit")
    struct BisectTests {
        /// A lane that fails from commit 7 on, cannot test commit 5, and is slow if a certain file exists.
        private static let lane = """
            summary: Check the value
            steps:
              - run: |
                  [ ! -e "$SLOW" ] || { touch "$SLOW.runs"; sleep 600 & wait; }
                  [ "$(cat value)" != 5 ] || exit 125
                  [ "$(cat value)" -lt 7 ]
            """

        /// Creates a repository with the commits `1` to `20`, and with unstaged and staged changes.
        private static let commits = """
            export GIT_AUTHOR_DATE=@1700000000 GIT_COMMITTER_DATE=@1700000000 SLOW="$PWD/slow"
            git init -q -b main && git config maintenance.auto false
            echo > value; git add -A
            for i in $(seq 1 20); do echo $i > value; git commit -qam "Set the value to $i"; done
            echo unsaved > value; echo staged > staged; git add staged
            state() { git status --porcelain; git for-each-ref; git stash list; git worktree list | wc -l; cat value; }
            untouched() { [ "$(state)" = "$before" ] && [ ! -e .git/worktrees ] && [ ! -e .git/lane/bisect/worktree ] && echo untouched; }
            before=$(state)

            """

        private func script(_ text: String) async throws -> CapturedRun {
            try await runScript(Self.commits + text, lanes: ["value": Self.lane]).0
        }

        @Test("A lane that fails since a commit, with one that cannot be tested, beside unsaved changes")
        func lane() async throws {
            let run = try await script(
                """
                "$0" bisect value --good HEAD~19 | sed 's/  *[0-9.]* s  / T /'; untouched
                "$0" replay .lane/bisect/$(git log --format=%h --abbrev=10 --grep='to 7$').jsonl | grep -c 'exit status 1'
                """)
            let hashless = run.text.replacing(/\b[0-9a-f]{10}\b/, with: "HASH")
            #expect(
                hashless == """
                    bisecting lane 'value': 19 commits after HASH, at most 5 steps after the bad end
                    ✘ bad      HASH T bad end   Set the value to 20
                    ✘ bad      HASH T 4 left    Set the value to 10
                    ↷ skipped  HASH T 4 left    Set the value to 5 (exit status 125)
                    ✔ good     HASH T 2 left    Set the value to 6
                    ✘ bad      HASH T 1 left    Set the value to 8
                    ✘ bad      HASH T 0 left    Set the value to 7
                    first bad commit: HASH  Set the value to 7
                      A Tester, 2023-11-14
                      fails: value/run
                      git show HASH
                    untouched
                    1

                    """, "\(run.errorText)")
        }

        @Test("Commits that cannot be tested around the culprit give a range, and status 1")
        func range() async throws {
            let run = try await script(
                """
                sed -i.old 's/!= 5/-lt 6 -o "$(cat value)" -gt 8/; s/-lt 7/-lt 6/' Lanes/value.yml; rm Lanes/value.yml.old
                git checkout -q --orphan again && git rm -q --cached staged value
                for i in $(seq 1 12); do echo $i > value; git add -A Lanes value; git commit -qm "Set the value to $i"; done
                "$0" bisect value --good HEAD~11 | sed -n '/^one/,$p' | sed 's/  .*  /  /'; echo status ${PIPESTATUS[0]}
                """)
            #expect(
                run.text == """
                    one of these 4 commits is the first bad one; the others cannot be tested:
                      Set the value to 6
                      Set the value to 7
                      Set the value to 8
                      Set the value to 9
                    status 1

                    """, "\(run.errorText)")
        }

        @Test("A good commit that is bad, a bad one that is good, and contradictory command lines")
        func refusals() async throws {
            let run = try await script(
                """
                try() { "$0" bisect "$@" > /dev/null 2> .git/err; echo "$? $(sed 's/[0-9a-f]\\{10\\}/HASH/' .git/err | head -1)"; }
                try value --good HEAD~19 --bad HEAD~14
                try value --good HEAD~10
                try value --good HEAD~3 --bad HEAD~3
                try value --good HEAD~2 --bad HEAD~3
                try value --good none
                try value
                try --good HEAD~3
                try greets --good HEAD~3 extra
                try value --good HEAD~3 --repeat 0
                try --resume value
                try --resume
                echo '{' > .lane/bisect/state.json; try --resume
                untouched
                """)
            #expect(
                run.text == """
                    65 error: nothing fails at the bad commit HASH
                    65 error: the good commit HASH is bad: 'value/run' fails there as well
                    65 error: 'HEAD~3' and 'HEAD~3' are the same commit, HASH
                    65 error: 'HEAD~3' does not contain the good commit 'HEAD~2'
                    65 error: there is no commit 'none'
                    64 error: the option '--good' is missing
                    64 error: the test or the lane is missing
                    64 error: there is no lane 'greets', and tests take no arguments: found 'extra'
                    64 error: expected a number from 1 to 10000 for '--repeat', found 0
                    64 error: '--resume' continues the interrupted bisection, without other arguments
                    66 error: no bisection was interrupted
                    66 error: no bisection was interrupted
                    untouched

                    """, "\(run.errorText)")
        }

        @Test(
            "Signals remove the worktree and the processes, also two within 0.15 s, and --resume continues",
            arguments: ["kill -TERM $!", "kill -INT $!; sleep 0.15; kill -INT $!"])
        func signals(_ kill: String) async throws {
            let run = try await script(
                """
                set -m
                "$0" bisect value --good HEAD~19 > first & sleep 0.01
                until grep -q '4 left' first; do sleep 0.01; done; touch "$SLOW"
                until [ -e "$SLOW.runs" ]; do sleep 0.01; done
                \(kill) || true; wait $!; echo "status $((128 - $? < 0))"
                rm "$SLOW" "$SLOW.runs"; ls .lane/bisect/state.json
                mv first ../first.out; untouched
                "$0" bisect --resume > second; grep -c ' end ' second; grep '^first' second | cut -d' ' -f5-; rm second
                ls .lane/bisect/state.json 2> /dev/null || echo finished
                untouched
                """)
            #expect(
                run.text.hasPrefix("status 1\n.lane/bisect/state.json\nuntouched\n"), "\(run.text)\(run.errorText)")
            #expect(run.text.hasSuffix("0\n Set the value to 7\nfinished\nuntouched\n"), "\(run.text)\(run.errorText)")
        }

        #if os(Linux)
            @Test("After SIGKILL nothing runs, and the next bisection removes the worktree and can resume")
            func killed() async throws {
                let run = try await script(
                    """
                    touch "$SLOW"
                    "$0" bisect value --good HEAD~19 > first & lane=$!
                    until [ -e "$SLOW.runs" ]; do sleep 0.01; done
                    guard > /dev/null; kill -KILL $lane; wait $lane; echo "status $?"
                    while grep -qsz "^LANE_ROOT=$PWD/" /proc/[0-9]*/environ; do sleep 0.02; done; echo none runs
                    rm "$SLOW" "$SLOW.runs" first; [ -d .git/lane/bisect/worktree ] && echo worktree
                    "$0" bisect value --good HEAD~19 | grep '^first' | cut -d' ' -f5-
                    untouched
                    """)
                #expect(
                    run.text == "status 137\nnone runs\nworktree\n Set the value to 7\nuntouched\n",
                    "\(run.text)\(run.errorText)")
            }
        #endif

        @Test("A second bisection at the same time is refused, and arguments are passed to the lane")
        func lockAndArguments() async throws {
            let lane = """
                parameters: { limit: { type: int, required: true } }
                steps:
                  - run: '[ ! -e "$SLOW" ] || { touch "$SLOW.runs"; sleep 600 & wait; }; [ "$(cat value)" -lt ${{ parameters.limit }} ]'
                """
            let text = """
                "$0" bisect limited --good HEAD~19 -- --limit 13 | grep '^first' | cut -d' ' -f5-
                touch "$SLOW"; set -m; "$0" bisect limited --good HEAD~19 -- --limit 13 > /dev/null & one=$!
                until [ -e "$SLOW.runs" ]; do sleep 0.01; done
                "$0" bisect limited --good HEAD~19 -- --limit 13 2>&1 | sed 's/process [0-9]*/process N/'
                kill -INT $one; wait $one || true
                """
            let run = try await runScript(Self.commits + text, lanes: ["limited": lane]).0
            #expect(
                run.text == """
                     Set the value to 13
                    error: 'lane bisect (process N)' is running in this repository
                    hint: wait for it, or end it

                    """, "\(run.errorText)")
        }

        @Test("A lane that no commit has is that of the checkout, and a commit that has it uses its own")
        func newLane() async throws {
            let run = try await script(
                """
                git reset -q; rm staged; git checkout -q value; git mv Lanes/value.yml Lanes/fresh.yml
                echo 21 > value; git commit -qam "Set the value to 21"; echo '\naliases: [newest]' >> Lanes/fresh.yml
                sed -i.old 's/-lt 7/-lt 9 -o "$(cat value)" = 21/' Lanes/fresh.yml; rm Lanes/fresh.yml.old
                for bad in HEAD~1 HEAD; do
                    "$0" bisect newest --good HEAD~20 --bad $bad | sed -n -E 's/.*(bad end|^first.*:)  *([0-9a-f]+  )?/\\1 /p'
                done
                """)
            #expect(
                run.text == """
                    bad end Set the value to 20
                    first bad commit: Set the value to 9
                    bad end Set the value to 21
                    first bad commit: Set the value to 9

                    """, "\(run.errorText)")
        }

        @Test("A lane that fails by chance is repeated")
        func repetitions() async throws {
            // Fails in every third run since commit 7.
            let lane = """
                steps:
                  - run: |
                      echo run >> .lane/count
                      [ "$(cat value)" -lt 7 ] || [ $(($(wc -l < .lane/count) % 3)) != 0 ]
                """
            let text = """
                "$0" bisect flaky --good HEAD~19 --repeat 4 > out; grep '^first' out | cut -d' ' -f5-
                """
            let run = try await runScript(Self.commits + text, lanes: ["flaky": lane]).0
            #expect(run.text == " Set the value to 7\n", "\(run.text)\(run.errorText)")
        }
    }
}
