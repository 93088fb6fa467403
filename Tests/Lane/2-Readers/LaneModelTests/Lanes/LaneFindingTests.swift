import LaneFixtures
import LaneModel
import Testing
import Text

/// Tests of errors in lane files: all are reported at once, each at its exact location.
@Suite struct LaneFindingTests {
    @Test func unknownKeys() {
        expectFindings(
            """
            sumary: x
            """.replacing("sumary", with: "«sumary»")
                + "\nsteps:\n  - «comand»: x\n  - run: x\n    «timout»: 5s\n  - bump: { «verson»: 1.2.3 }\n",
            [
                "unknown key 'sumary' in a lane", "unknown key 'comand' in a step", "unknown key 'timout' in a step",
                "unknown setting 'verson' of 'bump'",
            ])
    }

    @Test func valuesOfTheWrongType() {
        expectFindings(
            """
            summary: «[x]»
            private: «yes»
            timeout: «90»
            «description»:
            env: { «1A»: x, B: «1.10», C: «no», D: true, E: 4 }
            secrets: «{ a: b }»
            steps:
              - build: { configuration: «debgu», static: «"true"» }
              - test: { jobs: «0», retries: «x», timeout: «5», filter: «{ a: b }» }
              - bump: «1.10»
              - package: «x»
              - run: «»
              - «just text»
              - retry: «many»
                run: x
            """.replacing("run: «»", with: "«run»:").replacing("«run»:\n", with: "run: «{}»\n"),
            [
                "expected a string, found a list", "expected true or false, found the boolean yes",
                "expected a duration such as 90s, 2m or 1h30m, found the number 90", "expected a string, found nothing",
                "'1A' is not a valid name for an environment variable", "expected a string, found the number 1.10",
                "expected a string, found the boolean no",
                "expected a list of names, found a mapping", "expected debug or release, found the string 'debgu'",
                "expected true or false, found the string 'true'",
                "expected a whole number from 1 to 1024, found the number 0",
                "expected a whole number from 0 to 100, found the string 'x'",
                "expected a duration such as 90s, 2m or 1h30m, found the number 5",
                "expected a list of strings, found a mapping",
                "expected a version such as 1.2.3, or a word such as minor or auto, found the number 1.10",
                "expected a mapping with the settings of 'package', found the string 'x'", "'run' needs 'command'",
                "expected a step, found the string 'just text'",
                "expected a whole number from 0 to 100 or a mapping, found the string 'many'",
            ])
    }

    @Test func namesInExpressions() {
        expectFindings(
            """
            parameters: { version: version, publish: bool, jobs: int }
            matrix: { swift: ["6.1"] }
            if: ${{ parameters.«verson» == 'x' && «git» }}
            steps:
              - run: echo ${{ steps.«late».x }} ${{ env.ANY }}
              - id: late
                run: "tab\\t ${{ steps.«late».x }} ${{ «prameters.x» }}"
              - run: |
                  line
                    ${{ matrix.«swfit» }} ${{ steps.late.«outputs».x }}
                if: parameters.publish && «parameters.jobs»
              - test: { jobs: "${{ «parameters.publish» }}", coverage: «"${{ parameters.publish }}!"» }
              - run: [x, '${{ «parameters.jobs == ''4''» }}', "${{ git.«brunch» }}", "${{ 1 == }«»"]
            """.replacing(" && «git»", with: "").replacing("${{ «prameters.x» }}", with: "${{ «prameters».x }}")
                .replacing("\"${{ 1 == }«»\"", with: "\"«${{» 1 == \""),
            [
                "there is no parameter 'verson'", "step 'late' has not finished at this point",
                "step 'late' has not finished at this point",
                "unknown name 'prameters'", "there is no matrix axis 'swfit'",
                "outputs are members of the step's id",
                "expected a boolean, found a number", "expected a whole number from 1 to 1024, found a boolean",
                "expected true or false, found a string with expressions", "cannot compare a number with a string",
                "there is no value in 'git' named 'brunch'", "expected '}}' after '${{'",
            ])
    }

    /// Each mistake is reported once. A reference to an invalid step is not an error.
    @Test func invalidStepsKeepTheirIDs() {
        expectFindings(
            """
            steps:
              - id: one
                «rnu»: x
              - parallel:
                  - id: two
                    «rnu»: x
                  - run: y
              - run: echo ${{ steps.one.x }} ${{ steps.two.x }} ${{ steps.«three».x }}
              - id: three
                run: z
            """,
            [
                "unknown key 'rnu' in a step", "unknown key 'rnu' in a step",
                "step 'three' has not finished at this point",
            ])
    }

    @Test func invalidParameters() {
        expectFindings(
            """
            parameters:
              «Upper»: string
              one: { type: «strng» }
              two: { «type: enum» }
              three: { «values»: [a] }
              four: { type: int, default: «x» }
              five: { «required»: true, default: x }
              «six»: { position: 2 }
              seven: «[x]»
              eight: { type: enum, values: [a, b], default: «c» }
              nine: { type: version, default: «1.10» }
              ten: { type: enum, values: [a, «""», b, «a», «""»] }
            steps: []
            """.replacing("«type: enum»", with: "type: «enum»").replacing("«required»: true", with: "required: «true»"),
            [
                "'Upper' is not a valid name for a parameter",
                "expected string, bool, int, version, duration, enum or path, found the string 'strng'",
                "an enum needs 'values'", "only an enum has 'values'",
                "expected a whole number, found the string 'x'", "'required' has no effect together with 'default'",
                "no parameter has the position 1",
                "expected a type or a mapping, found a list", "expected a or b, found the string 'c'",
                "expected a version such as 1.2.3, or a word such as minor or auto, found the number 1.10",
                "a value of an enum cannot be empty", "the value 'a' is listed twice",
                "a value of an enum cannot be empty",
            ])
    }

    /// Values that must be known before the run.
    @Test func expressionsWhereNoneAreAllowed() {
        expectFindings(
            """
            parameters:
              one: { required: «"${{ true }}"», position: «"${{ 1 }}"», help: «"${{ 1 }}"» }
              two: { type: enum, values: [a, «"${{ 1 }}"»] }
            dotenv: [{ path: .env, optional: «"${{ true }}"» }]
            retry: { times: «"${{ 2 }}"» }
            steps:
              - run: x
                retry: { times: 1, statuses: [«"${{ 1 }}"»] }
            """,
            Array(repeating: "expected a value without expressions, found an expression", count: 7))
    }

    @Test func cyclesThroughHooks() {
        expectFindings(
            "steps: [{ run: x }]\non-failure: [{ lane: «a» }]",
            ["lanes need each other in a cycle: a → lane → a"],
            beside: ["a": "steps: [{ run: x }]\nalways: [{ lane: lane }]"])
    }

    @Test func invalidSteps() {
        expectFindings(
            """
            «then»:
              - run: x
              - lane: other
            always:
              - lane: «another»
              - parallel: [{ run: x }, { lane: «none» }]
            steps:
              - run: x
                «build»: {}
              - «name»: no action
              - id: a
                run: x
              - id: «a»
                run: y
              - id: «a b»
                run: z
              - lane: other
                «env»: { A: b }
              - parallel:
                  - run: x
                  - «parallel»: [{ run: y }]
                «timeout»: 5s
              - parallel: «[]»
              - lane: «othr»
              - lane: other
                parameters: { «vale»: 1, value: «x» }
            """,
            [
                "'then' without 'transaction: true'", "there is no lane 'another'", "there is no lane 'none'",
                "expected one action in a step, found 'run' and 'build'", "the step has no action",
                "two steps have the id 'a'",
                "'a b' is not a valid id", "'env' has no effect in a 'lane' step", "'parallel' inside 'parallel'",
                "'timeout' has no effect in a 'parallel' step", "expected a list of steps, found an empty one",
                "there is no lane 'othr'",
                "lane 'other' has no parameter 'vale'", "expected a whole number for 'value', found the string 'x'",
            ], beside: ["other": "parameters: { value: int }\nsteps: []"])
    }

    @Test func invalidMatrices() {
        expectFindings(
            """
            matrix:
              os: [linux, macos]
              «a b»: [1]
              swift: «6»
              exclude: [{ «so»: linux }]
              include: «x»
            steps: []
            """,
            [
                "'a b' is not a valid name for an axis", "expected a list of values, found the number 6",
                "the matrix has no axis 'so'",
                "expected a list of mappings, found the string 'x'",
            ])
        expectFindings("«matrix»: { a: [1], exclude: [{ a: 1 }] }\nsteps: []", ["the matrix has no combinations"])
        expectFindings("transaction: true\n«matrix»: { a: [1] }\nsteps: []", ["a transaction cannot have a matrix"])
    }

    @Test func invalidCalls() {
        expectFindings(
            "needs: [«release», { lane: «strict» }, { lane: strict, parameters: { must: \"${{ «git».branch }}\" } }]\nsteps: []",
            [
                "'release' is a transaction and cannot be part of another lane",
                "lane 'strict' needs a value for 'must'",
                "'git' is not available here",
            ],
            beside: [
                "release": "transaction: true\nsteps: []",
                "strict": "parameters: { must: { required: true } }\nsteps: []",
            ])
    }

    @Test func secretsThatAreNotDeclared() {
        expectFindings(
            """
            transaction: true
            secrets: [OTHER]
            steps:
              - «require»: { secrets: [OTHER, DEPLOY_KEY] }
              - parallel:
                  - «publish»: { to: github, token: OTHER }
            then:
              - publish: { to: github, token: OTHER }
              - publish: { to: «gitlab», token: OTHER }
            always:
              - «publish»: github
              - publish: { to: github, token: "${{ env.WHICH }}" }
            """,
            [
                "'require' uses 'DEPLOY_KEY', which is not a secret of the lane",
                "'publish' runs in the transaction before it is applied",
                "expected github, found the string 'gitlab'",
                "'publish' uses 'GITHUB_TOKEN', which is not a secret of the lane",
            ])
    }

    @Test func errorsAreReportedOnce() {
        expectFindings(
            """
            parameters:
              one: { type: «enum», default: z }
              two: { type: enum, values: [«1.10»], default: z }
            steps:
              - run: x
                «run»: y
              - run: x
                retry: «{ backoff: 1s }»
              - run: x
                if: «failure»
              - test: { «<<»: { jobs: 1 } }
            """,
            [
                "an enum needs 'values'", "expected a string, found the number 1.10", "duplicate key 'run'",
                "'retry' needs 'times'", "'failure' is a function", "merge keys are not part of YAML 1.2",
            ])
    }

    @Test func hintsNameAFix() {
        let text = """
            steps:
              - lane: other
                env: { A: b }
                continue-on-error: true
              - run: ${{ failure }}
              - run: ${{ contains }}
            """
        let found = LaneFiles.check(laneSources(["lane": text, "other": "steps: [{ run: x }]"]), with: .samples)
            .diagnostics.all
        #expect(
            found.map(\.hint) == [
                "move it to the lane", "move it to the steps of the lane", "call it as failure()",
                "call it as contains(text, part)",
            ])
    }
}
