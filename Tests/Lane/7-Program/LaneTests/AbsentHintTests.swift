import TestSupport
import Testing
import Text

/// Mistakes that look like those of `MistakeTests`, for which its hints would be wrong.
@Suite struct AbsentHintTests {
    private static let run = MistakeTests.run

    @Test(arguments: [
        ("timeout: 999999999999999999d\n\(run)", "write"), ("timeout: 9999999999.5h\n\(run)", "write"),
        ("timeout: 5:75\n\(run)", "write"), ("timeout: 1:2:3\n\(run)", "write"), ("timeout: P1M1D\n\(run)", "write"),
        ("timeout: ':'\n\(run)", "write"), ("timeout: P\n\(run)", "write"), ("timeout: never\n\(run)", "write"),
        ("steps: [{ run: date, retry: { times: 2, backoff: none } }]\n", "write"), ("grace: off\n\(run)", "write"),
        ("steps: [{ test: {}, swift: 6.2 }]\n", "write 'run"), ("steps: [nmake: all]\n", "write 'run"),
        ("steps:\n  - service:\n    image: x\n", "use the option"), ("lints: { a: [] }\n\(run)", "each lane"),
        ("if: parameters.x || env.DEBUG\nparameters: { x: bool }\n\(run)", "for a default"),
        ("if: git.branch == 'main' || 'develop'\n\(run)", "for a default"),
        ("if: startsWith(git.branch, 'a') || 'b'\n\(run)", "for a default"),
        ("if: ci.active || 'b'\n\(run)", "for a default"),
        ("parameters: { v: { type: strings } }\n\(run)", "use 'variadic"), ("needs: [b.x]\n\(run)", "write only"),
        ("needs: [shared/b.yml]\n\(run)", "write only"), ("needs: [shared/b]\n\(run)", "create"),
        ("parameters: { x: { optional: true } }\n\(run)", "did you mean"),
        ("steps: [test: { shard: 'count:3/2' }]\n", "write"), ("steps: [test: { shard: '1/2/3' }]\n", "write"),
        ("steps:\n  - lint:\n    working_dir: sub\n", "indent it more"),
        ("steps: [{ run: date }  # the time\n- x\n", "put a value with '#'"),
        ("steps:\n  - run: [echo, \"a #b]\"  # fine\n  - x\n", "put a value with '#'"),
        ("steps:\nrun: echo: b\n", "write 'steps"),
        ("secrets: [GITHUB_TOKEN]\nsteps: [publish: gitlab]\n", "did you mean"),
        ("steps: [test: { retries: max }]\n", "omit"), ("steps: [test: { retries: 1:30 }]\n", "write"),
        ("steps: [test: { coverage-threshold: 1/2 }]\n", "write"),
        ("steps: [{ foreach: [], run: \"true\", if: item == 'a' }]\n", "expected"),
    ])
    func noHintIsBetterThanAWrongOne(_ lane: String, _ hint: String) throws {
        let outcome = try Session(["Lanes/a.yml": lane]).run("check")
        #expect(outcome.status != .done)
        #expect(!outcome.errors.contains("hint: \(hint)"), "\(outcome.errors)")
    }

    @Test(arguments: [
        (["a", "--seed", "1"], "Did you mean"), (["a", "--color"], "Did you mean"),
        (["--taskfile", "x", "a"], "options of a lane"),
        (["-n", "4", "a"], "--plan"), (["--dry-run=1", "a"], "--plan"),
        (["a", "--dir", "x"], "'--to x'"), (["a", "—by", "x"], "'--by'"),
    ])
    func noHintIsBetterThanAWrongOptionThatTheLaneLacks(_ words: [String], _ hint: String) throws {
        let outcome = try Session(["Lanes/a.yml": "parameters: { to: string }\n\(Self.run)"]).run(words)
        #expect(outcome.status == .usage)
        #expect(!outcome.errors.contains(hint), "\(outcome.errors)")
    }
}
