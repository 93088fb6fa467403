import OperatingSystem
import TestSupport
import Testing
import Text

/// Mistakes of beginners. Each message names the location and the fix. `BeginnerTests` has those with a golden screen.
@Suite struct MistakeTests {
    struct Mistake: Sendable, CustomTestStringConvertible {
        /// The contents of `Lanes/a.yml`.
        let lane: String
        let words: [String]
        /// Parts of the messages.
        let says: [String]

        var testDescription: String { words == ["check"] ? lane : words.joined(separator: " ") }

        init(_ lane: String, _ says: String...) {
            (self.lane, words, self.says) = (lane, ["check"], says)
        }

        init(_ lane: String, words: [String], _ says: String...) {
            (self.lane, self.words, self.says) = (lane, words, says)
        }
    }

    static let run = "steps: [run: date]\n"
    private static let test = "steps: [test: {}]\n"

    private static let options: [Mistake] = [
        Mistake(test, words: ["a", "--retry", "2"], "Did you mean '--retries'?"),
        Mistake(test, words: ["a", "-E", "test(x)"], "Unknown option '-E'. Did you mean '--filter'?"),
        Mistake(test, words: ["a", "--partition", "count:1/2"], "Did you mean '--shard'?"),
        Mistake(test, words: ["a", "--nocapture"], "Did you mean '--no-capture'?"),
        Mistake(test, words: ["a", "--no-fail-fast"], "Did you mean '--keep-going'?"),
        Mistake(test, words: ["a", "-Xswiftc", "-O"], "Unknown option '-Xswiftc'. Did you mean '--arguments'?"),
        Mistake(test, words: ["a", "--release"], "Did you mean '--configuration'?"),
        Mistake(test, words: ["a", "--slow-timeout", "2s"], "Did you mean '--slow'?"),
        Mistake(run, words: ["a", "--dry-run"], "Did you mean '--plan'?"),
        Mistake(run, words: ["a", "--watch", "--plan"], "'--watch' and '--plan' exclude each other"),
        Mistake(run, words: ["a", "--image", "x"], "'--image' goes with '--in'"),
        Mistake(run, words: ["a", "--step", "a/run", "--resume"], "'--step' and '--resume' exclude each other"),
        Mistake(test, words: ["a", "--watch", "--list"], "'--watch' and '--list' exclude each other"),
        Mistake(run, words: ["a", "--step", "nope"], "lane 'a' has no step 'nope'", "use '--plan'"),
        Mistake(run, words: ["a.yml"], "hint: did you mean 'lane a'?"),
        Mistake(run, words: ["Lanes/a.yml", "--plan"], "hint: did you mean 'lane a'?"),
        Mistake(run, words: ["history", "show", "9"], "there is no run 9"),
        Mistake(run, words: ["help", "secrets"], "a key of lane files; see 'lane help lane-file'"),
        Mistake(run, words: ["-v", "a"], "'lane a -v'"),
        Mistake(run, words: ["lane", "a"], "there is no lane 'lane'", "'lane test', not 'lane lane test'"),
        Mistake(run, words: ["-l"], "hint: use 'lane list'"),
        Mistake(run, words: ["--tasks"], "hint: use 'lane list'"),
        Mistake(run, words: ["-n", "a"], "'lane a --plan'"),
        Mistake(run, words: ["exec", "a"], "every lane is a command"),
        Mistake(run, words: ["new", "deploy"], "hint: a lane is a file: write 'Lanes/NAME.yml'"),
        Mistake(run, words: ["TO=eu", "a"], "'lane NAME --to eu'"),
        Mistake(run, words: ["history", "show", "nope"], "could not read", "a run is a number in the list"),
        Mistake(test, words: ["a", "--grep", "x"], "Did you mean '--filter'?"),
        Mistake(test, words: ["a", "--tests", "x"], "Did you mean '--filter'?"),
        Mistake(test, words: ["a", "--bail"], "Did you mean '--fail-fast'?"),
        Mistake(test, words: ["a", "--last-failed"], "Did you mean '--failed'?"),
        Mistake(run, words: ["a", "--silent"], "Did you mean '--quiet'?"),
        Mistake(run, words: ["--dir", "sub", "a"], "hint: use '-C' for another directory"),
        Mistake(
            "steps: [run: 'date ${{ arguments }}']\n", words: ["a", "-C", "3"],
            "Unknown option '-C'. Did you mean '-- -C' to pass it on?"),
        Mistake(
            run, words: ["a", "-q", "-C", "sub", "-v"], "unknown option '-C' of 'a'", "hint: lane -C sub a -q -v\n"),
        Mistake(run, words: ["a", "-C", "my sub"], "unknown option '-C' of 'a'", "hint: lane -C 'my sub' a\n"),
        Mistake(
            test, words: ["a", "--package-path", "sub", "-v"], "unknown option '--package-path' of 'a'",
            "hint: lane -C sub a -v\n"),
        Mistake(test, words: ["a", "--directory=my sub"], "hint: lane -C 'my sub' a\n"),
        Mistake(
            test, words: ["a", "-v", "--scratch-path", "/b c", "X"], "unknown option '--scratch-path' of 'a'",
            "hint: SWIFTPM_BUILD_DIR='/b c' lane a -v X\n"),
        Mistake(test, words: ["a", "--build-path"], "hint: SWIFTPM_BUILD_DIR=DIRECTORY lane a\n"),
        Mistake(test, words: ["a", "--traits", "A"], "Unknown option '--traits'. Did you mean '--arguments'?"),
        Mistake(test, words: ["--package-path", "sub", "a"], "hint: use '-C' for another directory"),
        Mistake(run, words: ["watch", "a"], "hint: it is an option: 'lane NAME --watch'"),
        Mistake(run, words: ["show", "a"], "hint: 'lane NAME --help' describes a lane"),
    ]

    private static let parameters: [Mistake] = [
        Mistake(
            "parameters: { n: { type: int, required: true } }\n\(run)", words: ["a"],
            "Missing expected argument '--n <int>'"),
        Mistake(
            "parameters: { m: { type: enum, values: [debug, release] } }\n\(run)", words: ["a", "--m", "relase"],
            "Did you mean 'release'?"),
        Mistake(
            "parameters: { v: { variadic: true, position: 1 } }\n\(run)", words: ["a", "x", "--flag"],
            "'-- --flag' to pass it on?"),
        Mistake("steps: [run: 'date ${{ arguments }}']\n", words: ["a", "--flag"], "'-- --flag' to pass it on?"),
        Mistake("parameters: { to: string }\n\(run)", words: ["a", "it's"], "Did you mean \"--to 'it'\\''s'\"?"),
        Mistake("parameters: { v: version }\n\(run)", words: ["a", "1.0.0"], "Did you mean '--v 1.0.0'?"),
        Mistake(
            "parameters: { to: { type: enum, values: [eu, us], position: 1, required: true } }\n\(run)", words: ["a"],
            "Missing expected argument '<to>': eu or us"),
        Mistake("parameters: { to: string, dry: bool }\n\(run)", words: ["a", "to:eu"], "Did you mean '--to eu'?"),
        Mistake("parameters: { to: string, dry: bool }\n\(run)", words: ["a", "TO=eu"], "Did you mean '--to eu'?"),
        Mistake("parameters: { to: string, dry: bool }\n\(run)", words: ["a", "--to:eu"], "Did you mean '--to eu'?"),
        Mistake("parameters: { to: string, dry: bool }\n\(run)", words: ["a", "dry:true"], "Did you mean '--dry'?"),
        Mistake(
            "parameters: { to: string, dry: bool }\n\(run)", words: ["a", "--dry", "true"], "Did you mean '--dry'?"),
        Mistake("parameters: { to: string }\n\(run)", words: ["a", "—to", "eu"], "Did you mean '--to'?"),
        Mistake("parameters: { v: { type: list } }\n\(run)", "hint: use 'variadic: true'"),
        Mistake("parameters: { v: { enum: [a, b] } }\n\(run)", "did you mean 'values'?"),
        Mistake("confirm: true\n\(run)", "hint: for example 'confirm: Deploy to production?'"),
        Mistake("secrets: { TOKEN: x }\n\(run)", "hint: write [TOKEN]; the values come from the environment"),
        Mistake("parameters: { v: hello }\n\(run)", "hint: for a default value write 'v: { default: hello }'"),
        Mistake("parameters: { v: true }\n\(run)", "'v: { type: bool, default: true }'"),
        Mistake("parameters: { v: 3 }\n\(run)", "'v: { type: int, default: 3 }'"),
        Mistake("parameters: { v: 1.10 }\n\(run)", "\"v: { default: '1.10' }\""),
        Mistake("parameters:\n  v:\n\(run)", "hint: for any text write 'v: string'"),
        Mistake("parameters: { v: boolean }\n\(run)", "hint: did you mean 'bool'?"),
        Mistake("parameters: { v: { type: integer } }\n\(run)", "hint: did you mean 'int'?"),
        Mistake("parameters: [name]\n\(run)", "hint: for example 'version: { type: version, position: 1 }'"),
        Mistake("parameters: { v: { default: 1.0 } }\n\(run)", "hint: put it in quotes: \"1.0\""),
        Mistake("matrix: { os: linux }\n\(run)", "hint: write a list: [linux]"),
        Mistake("dotenv: [.env]\n\(run)", words: ["a"], "there is no file '.env'", "optional: true"),
        Mistake("include: [_common]\n\(run)", "there is no file '_common'", "its name starts with '_'"),
    ]

    /// Values in the notation of other tools, and words that a value never has.
    private static let values: [Mistake] = [
        Mistake("steps: [service: { image: postgres, port: '5432:5432' }]\n", "hint: write 5432"),
        Mistake("steps: [service: { image: postgres, port: 5432/tcp }]\n", "hint: write 5432"),
        Mistake("steps: [service: { image: postgres, env: { A: b } }]\n", "hint: use 'env' of the step"),
        Mistake("steps: [service: { image: postgres, healthcheck: x }]\n", "hint: use 'ready-command'"),
        Mistake("steps: [service: postgres]\n", "hint: write '{ image: … }' for a container"),
        Mistake("steps: [test: { coverage: 80 }]\n", "hint: write 'coverage-threshold: 80'"),
        Mistake("steps: [test: { coverage: 80% }]\n", "hint: write 'coverage-threshold: 80'"),
        Mistake("steps: [test: { coverage-threshold: 80% }]\n", "hint: write 80"),
        Mistake("steps: [test: { jobs: auto }]\n", "hint: omit the key to use its default"),
        Mistake("steps: [test: { junit: true }]\n", "hint: write the path of a file"),
        Mistake("timeout: 10m30\n\(run)", "hint: write 10m30s"),
        Mistake("timeout: 1h 30\n\(run)", "hint: write 1h30m"),
        Mistake("timeout: 0s\n\(run)", "hint: write more than zero, such as 24h for no limit"),
        Mistake("timeout: 0\n\(run)", "hint: write more than zero, such as 24h for no limit"),
        Mistake("steps: [{ run: date, timeout: 0h0m }]\n", "hint: write more than zero, such as 24h for no limit"),
        Mistake("steps: [test: { slow: 0s }]\n", "hint: write more than zero, such as 24h for no limit"),
        Mistake(test, words: ["a", "--timeout", "0s"], "write more than zero, such as 24h for no limit"),
        Mistake("timeout: 5m 30s\n\(run)", "hint: write 5m30s"),
        Mistake("timeout: 2 days\n\(run)", "hint: write 48h"),
        Mistake("timeout: 1.5h\n\(run)", "hint: write 1h30m"),
        Mistake("timeout: 0.5s\n\(run)", "hint: write 500ms"),
        Mistake("timeout: 5:30\n\(run)", "hint: write 5m30s for minutes and seconds"),
        Mistake("timeout: '1:05:30'\n\(run)", "hint: write 1h5m30s"),
        Mistake("steps: [test: { shard: 3/2 }]\n", "expected a part such as 2/4, found the string '3/2'"),
        Mistake("steps: [test: { shard: 0/2 }]\n", "expected a part such as 2/4"),
        Mistake("steps: [test: { shard: 2 }]\n", "expected a part such as 2/4"),
        Mistake("steps: [test: { shard: 'count:1/2' }]\n", "hint: write 1/2"),
        Mistake(test, words: ["a", "--shard", "3/2"], "expected a part such as 2/4"),
        Mistake("steps: [service: { image: a, variables: [A=b] }]\n", "hint: write 'A', and 'env: { A: b }'"),
        Mistake("secrets: [T]\nsteps: [service: { image: a, variables: [T] }]\n", "hint: add 'secrets: [T]'"),
        Mistake("summary: #1 thing\n\(run)", "hint: put the value in quotes, because '#' starts a comment"),
        Mistake("steps:\n  - run: #date\n", "hint: put the value in quotes, because '#' starts a comment"),
        Mistake("env: { COLOR: #fff }\n\(run)", "hint: put a value with '#' in quotes"),
        Mistake("matrix: { os: [linux, mac] }\nif: matrix.os == 'windows'\n\(run)", "is never 'windows'"),
        Mistake("if: ci.name == 'github-actions'\n\(run)", "is never 'github-actions'", "expected 'github'"),
        Mistake("if: git.branch == 'refs/heads/main'\n\(run)", "hint: write 'main'"),
        Mistake("if: env.DEBUG == 1\n\(run)", "hint: put the number in quotes: '1'"),
        Mistake("if: ci.name == ‘github’\n\(run)", "hint: use straight single quotes"),
        Mistake("if: ci.active and git.clean\n\(run)", "hint: write '&&'"),
        Mistake("if: not ci.active\n\(run)", "hint: write '!' before the condition"),
        Mistake("if: git.branch =~ 'release'\n\(run)", "hint: use 'contains', 'startsWith' or 'endsWith'"),
        Mistake("steps: [run: \"echo ${{ env.A || 'b' }}\"]\n", "for a default value write 'default(env.NAME, …)'"),
        Mistake("steps: [{ run: date, retry: { max: 3 } }]\n", "did you mean 'times'?"),
        Mistake("needs: [{ lane: b, with: { x: y } }]\n\(run)", "did you mean 'parameters'?"),
        Mistake("needs: [b.yml]\n\(run)", "there is no lane 'b.yml'", "hint: write only its name: b"),
        Mistake("steps: [run: { command: date, shell: bash -c }]\n", "hint: remove '-c'"),
        Mistake("steps: [run: { command: date, shell: env -S bash -c }]\n", "with '-c', the shell does not read"),
        Mistake("steps: [run: { command: date, shell: bash -euc }]\n", "hint: remove the 'c' from '-euc'"),
        Mistake(
            "parameters: { x: string }\ndotenv: ['.env.${{ parameters.x }}']\n\(run)", "found an expression",
            "'. ./FILE'"),
    ]

    /// Wrong indentation, and keys in a wrong place.
    private static let layout: [Mistake] = [
        Mistake("steps:\n  - test:\n    filter: X\n", "hint: indent it more than 'test'"),
        Mistake("env:\nA: b\n\(run)", "hint: indent it more than 'env'"),
        Mistake("steps:\n  - run: |\n    echo 1\n    echo 2\n", "hint: indent all lines below '|' the same"),
        Mistake("steps:\n  - run: |\n      echo 1\n     echo 2\n", "hint: indent all lines below '|' the same"),
        Mistake("steps:\n  - run: \"echo a\" b\n", "hint: quotes at the start of a value end it"),
        Mistake(
            "summary:x\n\(run)", "a.yml:1:8: error: expected a space after ':'", "hint: write 'summary: …'"),
        Mistake("steps:\n  - run:\u{A0} date\n", "hint: write 'run: date'"),
        Mistake("\u{A0} a: b\n\(run)", "hint: replace the invisible character at its start with spaces"),
        Mistake("steps: [RUN: date]\n", "hint: did you mean 'run'?"),
        Mistake("steps: [release: {}]\n", "hint: write 'lane: release'"),
        Mistake("steps: [a]\n", "hint: write 'lane: a'"),
    ]

    private static let keys: [Mistake] = [
        Mistake("dependsOn: [b]\n\(run)", "hint: use 'needs' in the lane"),
        Mistake("depends_on: [b]\n\(run)", "hint: use 'needs' in the lane"),
        Mistake("onFailure: [run: date]\n\(run)", "hint: did you mean 'on-failure'?"),
        Mistake("finally: [run: date]\n\(run)", "hint: use 'always'"),
        Mistake("environment: { A: b }\n\(run)", "hint: use 'env'"),
        Mistake("steps: [{ run: date, timeout-minutes: 5 }]\n", "hint: use 'timeout', such as '5m'"),
        Mistake("sources: [a]\ngenerates: [b]\n\(run)", "hint: use 'inputs' in", "hint: use 'outputs' in"),
        Mistake("params: { x: string }\n\(run)", "hint: use 'parameters'"),
        Mistake("steps: [{ run: date, needs: [b] }]\n", "hint: use 'needs' in the lane"),
        Mistake("steps: [{ run: date, ignore_error: true }]\n", "hint: use 'continue-on-error'"),
        Mistake("steps: [{ test: {}, with: { filter: x } }]\n", "write the settings below the action"),
        Mistake("needs: [b]\n\(run)", "there is no lane 'b'", "hint: create 'Lanes/b.yml'"),
        Mistake("lanes: { test: { steps: [] } }\n", "hint: each lane has a file of its own"),
        Mistake("deploy: { steps: [run: date] }\n", "each lane has a file of its own, such as 'Lanes/deploy.yml'"),
        Mistake("version: '3'\n\(run)", "hint: a lane file has no version"),
        Mistake("silent: true\n\(run)", "hint: use the option '--quiet'"),
        Mistake("watch: true\n\(run)", "hint: use the option '--watch'"),
        Mistake("platforms: [linux]\n\(run)", "hint: use 'if', such as \"platform.os == 'linux'\""),
        Mistake("tools: { swift: 6.2 }\n\(run)", "hint: write '- require: { tools: … }'"),
        Mistake("set: [pipefail]\n\(run)", "hint: a script runs with 'sh -eu'"),
        Mistake("cleanup: [run: date]\n\(run)", "hint: use 'always'"),
        Mistake("steps: [{ run: date, workdir: sub }]\n", "hint: use 'directory'"),
        Mistake("steps: [cd: sub]\n", "hint: use 'directory'"),
        Mistake("steps: [make: all]\n", "hint: write 'run: make …'"),
        Mistake("steps: [echo: hello]\n", "hint: write 'run: echo …'"),
        Mistake("parallel: true\n\(run)", "hint: use it in a step"),
        Mistake("needs: [a]\n\(run)", "lane 'a' needs itself"),
        Mistake("steps: [{ run: date, outputs: { a: b } }]\n", "expected a list of files", "\"$LANE_OUTPUT\""),
        Mistake("steps: [test: { filter: { A: , B: } }]\n", "expected a list of strings", "hint: write a list: [A, B]"),
        Mistake("needs: b, c\n\(run)", "hint: write a list: [b, c]"),
        Mistake("script: swift test\n", "hint: write 'steps: [run: …]'"),
        Mistake("timeout: 10\n\(run)", "hint: write 10s for seconds"),
        Mistake("steps:\n\t- run: x\n", "a.yml:2:1: error: tabs are not allowed", "hint: use spaces"),
        Mistake("steps:\n  run: echo hi\n", "hint: start each step with '- '"),
    ]

    private static let steps: [Mistake] = [
        Mistake("steps: [test: { retry: 2 }]\n", "hint: did you mean 'retries'?"),
        Mistake("steps: [test: { partition: 1/2 }]\n", "hint: did you mean 'shard'?"),
        Mistake("steps: [test: { slow-timeout: 2s }]\n", "hint: did you mean 'slow'?"),
        Mistake("steps: [test: { Xswiftc: -O }]\n", "hint: did you mean 'arguments'?"),
        Mistake("steps: [test: { release: true }]\n", "hint: did you mean 'configuration'?"),
        Mistake("steps: [test: Parser]\n", "hint: 'lane help test' lists the settings"),
        Mistake("steps: [lane: test filter=x]\n", "hint: write only the name of the lane"),
        Mistake("steps: [{ lane: test, filter: x }]\n", "hint: set it in 'parameters: { filter: … }'"),
        Mistake("steps: [{ lane: test, with: { filter: x } }]\n", "hint: use 'parameters'"),
        Mistake("steps: [run: 'echo ${{ github.ref }}']\n", "hint: did you mean 'git'?"),
        Mistake("steps: [run: 'echo ${{ runner.os }}']\n", "hint: did you mean 'platform'?"),
        Mistake("steps:\n  - run: *.swift\n", "hint: quote a string that starts with '*' or '&'"),
        Mistake("steps:\n  - run: \"C:\\Users\"\n", "hint: use single quotes for a string with backslashes"),
        Mistake("steps: [run: '@echo a']\n", words: ["a"], "hint: remove the '@' at the start"),
        Mistake("steps: [run: '-rm a']\n", words: ["a"], "hint: remove the '-' at the start"),
        Mistake(
            "parameters: { user-name: string }\nsteps: [run: 'echo $USER_NAME']\n", words: ["a", "--user-name", "x"],
            "hint: write '${{ parameters.user-name }}'"),
        Mistake("steps: [run: 'echo x=1 >> $GITHUB_OUTPUT']\n", words: ["a"], "hint: write to \"$LANE_OUTPUT\""),
        Mistake("steps: [run: 'echo X=1 >> $GITHUB_ENV']\n", words: ["a"], "hint: write to \"$LANE_ENV\""),
        Mistake("steps: [{ run: date, retry: { times: 3, delay: 5s } }]\n", "hint: did you mean 'backoff'?"),
        Mistake("parameters: { v: { type: enum, options: [a] } }\nsteps: [run: date]\n", "did you mean 'values'?"),
        Mistake("steps: [build: Tool]\n", "expected debug or release", "hint: the settings are configuration, product"),
        Mistake("steps: [build: relase]\n", "hint: did you mean 'release'?"),
        Mistake("steps:\n  - run: a\n    run: b\n", "duplicate key 'run'", "hint: start a new element with '- '"),
        Mistake("steps: [run: a]\nsteps: [run: b]\n", "duplicate key 'steps'", "hint: remove one of them"),
        Mistake("steps: [tests: {}]\n", "hint: did you mean 'test'?"),
        Mistake("steps: [{ run: date, if: ci }]\n", "hint: use a member, such as 'ci.active'"),
        Mistake("steps: [{ run: date, if: env.X = 'a' }]\n", "hint: compare with '=='"),
        Mistake("steps: [{ run: date, if: env.X == true }]\n", "hint: put the word in quotes: 'true'"),
        Mistake("steps: [run: 'echo ${{ steps.b.x }}', { id: b, run: date }]\n", "hint: use it in a later step"),
        Mistake("steps:\n  - run: ! grep x y\n", "expected no tag, found '!'", "quote a string that starts with '!'"),
        Mistake("steps: [run:date]\n", "hint: write 'run: date'"),
        Mistake("steps: ['run: date']\n", "hint: write 'run: date'"),
        Mistake("steps:\n  - sh: date\n", "hint: write 'run: …'"),
        Mistake("steps:\n  - bash: date\n", "hint: use 'run: { command: …, shell: bash -euo pipefail }'"),
        Mistake(
            "steps:\n  - run: curl -H \"Token: $TOKEN\" https://a.b\n", "unexpected ':'",
            "hint: write the value on the line below 'run: |'"),
        Mistake(
            "steps:\r\n  - run: a\r\n  - run: curl -H \"Token: $TOKEN\" https://a.b\r\n", "unexpected ':'",
            "hint: write the value on the line below 'run: |'"),
        Mistake("steps:\n  - run: echo: b\n", "hint: quote a string that contains ': '"),
        Mistake("steps: [{ run: date, directory: nope }]\n", words: ["a"], "there is no directory 'nope'"),
        Mistake(
            "steps: [{ run: date, inputs: [nope/**] }]\n", words: ["a"], "no files match the input 'nope/**'",
            "optional: true"),
        Mistake(
            "steps: [{ run: date, inputs: ['a/**', '!a/b/**'] }]\n", "found the exclusion '!a/b/**'", "hint: list only"),
        Mistake("steps: [run: echo $1]\n", words: ["a"], "hint: a script has no arguments"),
        Mistake(
            "steps: [{ run: date, env: { A: '${{ arguments }}' } }]\n", "expected a string, found a list",
            "hint: write \"${{ join(arguments, ' ') }}\""),
        Mistake(
            "steps: [{ run: date, env: { A: '-- ${{ arguments }}' } }]\n",
            "expected a single value in a string, found a list", "hint: write \"${{ join(arguments, ' ') }}\""),
        Mistake("steps: [run: “date”]\n", words: ["a"], "hint: use straight quotes"),
    ]

    /// Paths that only a shell expands. Without an error, they would create a directory with the name `~`.
    private static let paths: [Mistake] =
        [
            "dotenv: [~/.env]\n\(run)", "dotenv: ['$HOME/.env']\n\(run)",
            "dotenv: [{ path: ~/.env, optional: true }]\n\(run)", "directory: ~/x\n\(run)",
            "steps: [{ run: date, directory: ~/x }]\n", "steps: [run: { command: date, directory: ~/x }]\n",
            "steps: [{ run: date, inputs: [~/x] }]\n",
            "steps: [{ run: date, inputs: [{ path: '${HOME}/x', optional: true }] }]\n",
            "steps: [{ run: date, outputs: [a, ~/y] }]\n", "steps: [{ run: date, foreach: { files: ~/*.txt } }]\n",
            "steps: [test: { junit: ~/r.xml }]\n", "steps: [test: { coverage-html: ~/cov }]\n",
            "steps: [package: { output: ~/dist }]\n", "steps: [checksum: '$HOME/*.zip']\n",
            "parameters: { f: { type: path, default: ~/f } }\n\(run)",
        ].map { Mistake($0, "expected a", "'\($0.contains("$") ? "$" : "~")", "hint: \(hint)") }
        + [
            Mistake(
                run, words: ["a", "--junit=~/r.xml"], "'~/r.xml' is invalid for '--junit': expected a path; \(hint)"),
            Mistake(
                run, words: ["a", "--events", "$HOME/e"],
                "'$HOME/e' is invalid for '--events': expected a path; \(hint)"),
            Mistake(
                test, words: ["a", "--coverage-html=~/c"], "is invalid for '--coverage-html': expected a path; \(hint)"),
            Mistake(test, words: ["a", "--archive=~/c"], "is invalid for '--archive': expected a path; \(hint)"),
            Mistake(
                "parameters: { f: { type: path } }\n\(run)", words: ["a", "--f=~/f"],
                "is invalid for '--f': expected a path; \(hint)"),
            Mistake(run, words: ["-C", "~/x", "a"], "is invalid for '--directory': expected a path; \(hint)"),
            Mistake(
                "parameters: { d: { default: ~/x } }\nsteps: [{ run: date, directory: '${{ parameters.d }}' }]\n",
                words: ["a"],
                "there is no directory '~/x'", "hint: \(hint)"),
        ]
    private static let hint = "no shell expands it; write the whole path"

    @Test(arguments: [options, parameters, values, layout, keys, steps, paths].flatMap { $0 })
    func theMessageNamesTheFix(_ mistake: Mistake) throws {
        var session = try Session(["Lanes/a.yml": mistake.lane])
        session.processes = ChildRunner()
        let outcome = try session.run(mistake.words)
        #expect(outcome.status != .done)
        for text in mistake.says {
            #expect((outcome.errors + outcome.output).contains(text), "\(outcome.transcript)")
        }
    }

    @Test(arguments: ["format: { check: true }", "lint: {}"])
    func aPackageWithoutAConfigurationHasNoFormat(_ step: String) throws {
        var session = try Session(["Package.swift": "", "Sources/a.swift": "", "Lanes/a.yml": "steps: [\(step)]\n"])
        session.processes = ChildRunner()
        session.environment["PATH"] = "\(session.directory.path)/bin:/usr/bin:/bin"
        let hint = "hint: 'swift format -i -r Package.swift Sources' formats the files; without a '.swift-format'"
        for (status, hasHint) in [(1, true), (2, false)] {
            try session.directory.write("#!/bin/sh\nexit \(status)\n", to: "bin/swift", mode: 0o755)
            #expect(try session.run("a").output.contains(hint) == hasHint)
        }
        try session.directory.write("#!/bin/sh\nexit 1\n", to: "bin/swift", mode: 0o755)
        try session.directory.write("{}", to: ".swift-format")
        #expect(try !session.run("a").output.contains("hint"))
    }

    @Test func aConfigurationIsAllThatABuildNeeds() throws {
        let plan = try Session(["Lanes/a.yml": "steps: [build: release]\n"]).run("a", "--plan").output
        #expect(plan.contains("swift build -c release"), "\(plan)")
    }

    @Test func anExpressionForTheNameOfAVariableMayCompare() throws {
        let variable = "\"${{ default(parameters.a, 'A=1') }}\""
        let lane = "parameters: { a: string }\nsteps: [service: { image: x, variables: [\(variable)] }]\n"
        #expect(try Session(["Lanes/a.yml": lane]).run("check").errors.isEmpty)
    }

    @Test(arguments: [
        ("jobs: { a: { lanes: [test], runs-on: x } }", "hint: the settings are lanes, name, on, "),
        ("jobs: { a: { lanes: [test], os: ubuntu-latest } }", "hint: did you mean 'linux'?"),
        ("jobs: [test]", "hint: write 'NAME: …' in place of each '- '"),
        ("services: [gitlab]", "hint: remove it, and run 'lane test' in your own '.gitlab-ci.yml'"),
        ("jobs: { a: { lanes: [test], timeout: 0s } }", "hint: write more than zero"),
    ])
    func theConfigurationOfCI(_ text: String, _ hint: String) throws {
        let outcome = try Session(["Package.swift": "", "Lanes/ci/jobs.yml": text]).run("check")
        #expect(outcome.status == .refused)
        #expect(outcome.errors.contains(hint), "\(outcome.errors)")
    }

    @Test func theNameOfADirectoryIsQuoted() throws {
        let outcome = try Session(["My Package/Package.swift": ""]).run("test")
        #expect(outcome.errors.contains("use \"lane -C 'My Package'\"\n"), "\(outcome.errors)")
    }

    @Test func stepsInASharedFile() throws {
        let outcome = try Session(["Lanes/a.yml": Self.run, "Lanes/_package.yml": Self.run]).run("check")
        #expect(outcome.errors.contains("_package.yml:1:1: error: 'steps' is not allowed in"), "\(outcome.errors)")
        #expect(outcome.errors.contains("hint: move the steps to a lane"), "\(outcome.errors)")
    }

    @Test func aSingleRuleNeedsNoList() throws {
        let lane = "steps: [test: { rules: { tests: A, retries: 2 } }]\n"
        #expect(try Session(["Lanes/a.yml": lane]).run("check").status == .done)
    }

    @Test func rangesMayBeLarge() throws {
        let lane = "steps: [{ run: date, foreach: 9223372036854775800..9223372036854775807 }]\n"
        #expect(try Session(["Lanes/a.yml": lane]).run("check").errors.contains("is one value"))
    }
}
