import Testing
import Text

/// Tests of the errors in `directory`, `foreach` and in `steps.ID.outcome`.
@Suite struct StepKeyFindingTests {
    @Test func misusesOfADirectoryAreReported() {
        expectFindings(
            """
            directory: «[a, b]»
            steps:
              - run: x
                directory: «{ a: b }»
              - build: {}
                «directory»: Site
              - lane: other
                «directory»: Site
              - parallel: [{ run: x }]
                «directory»: Site
              - run: { command: x, directory: a }
                «directory»: b
              - test: { directory: a }
                «directory»: b
              - run: x
                directory: ${{ parameters.«nme» }}
            """,
            [
                "expected a path, found a list", "expected a path, found a mapping",
                "'directory' has no effect in a 'build' step", "'directory' has no effect in a 'lane' step",
                "'directory' has no effect in a 'parallel' step", "the step and its 'run' both have a 'directory'",
                "the step and its 'test' both have a 'directory'",
                "there is no parameter 'nme'",
            ], beside: ["other": "steps: [{ run: x }]"])
    }

    @Test func mappingsOfInputsAreChecked() {
        expectFindings(
            """
            parameters: { all: bool }
            steps:
              - run: x
                inputs: [a, { path: b, «optinal»: true }, «{ optional: true }», «[c]»]
              - run: y
                inputs: [{ path: "${{ parameters.«al» }}", optional: «"${{ parameters.all }}"» }]
              - run: z
                inputs: [{ path: «'!d'» }, «'!e'»]
            """,
            [
                "unknown setting 'optinal' of 'inputs'", "'inputs' needs 'path'",
                "expected a path or a mapping, found a list", "there is no parameter 'al'",
                "expected true or false, found an expression", "expected an input, found the exclusion '!d'",
                "expected an input, found the exclusion '!e'",
            ])
    }

    @Test func aServiceIsNeverUpToDate() {
        expectFindings(
            """
            steps:
              - service: { run: x }
                «inputs»: [a]
                «outputs»: [b]
              - parallel: [{ service: { run: x }, «inputs»: [a] }]
            """,
            [
                "'inputs' has no effect in a 'service' step", "'outputs' has no effect in a 'service' step",
                "'inputs' has no effect in a 'service' step",
            ])
    }

    @Test func stepsThatIgnoreTheDirectoryOfTheLaneAreReported() {
        expectFindings(
            """
            directory: Site
            steps:
              - run: x
              - test: {}
              - parallel: [{ run: x }, { «build»: {} }]
              - lane: other
            always:
              - «lint»: {}
            """,
            [
                "'build' ignores the lane's 'directory'",
                "'lint' ignores the lane's 'directory'",
            ], beside: ["other": "steps: [{ run: x }]"])
    }

    @Test func misusesOfForeachAreReportedOnce() {
        expectFindings(
            """
            env: { A: "${{ «item» }}" }
            steps:
              - run: echo ${{ «item» }}
              - run: echo ${{ parameters.«nme» }} ${{ item }}
                foreach: [a, b]
              - run: x
                foreach: «[]»
              - run: x
                foreach: [a, «{ b: c }»]
              - run: x
                foreach: ["${{ «item» }}", "${{ «steps».a.b }}"]
              - run: x
                foreach: { files: "*.proto", «fles»: x }
              - parallel: [{ run: x }]
                «foreach»: [a, b]
              - run: x
                if: «item == 1»
                foreach: [a]
              - run: echo ${{ «item».a }}
                foreach: [a]
            """,
            [
                "'item' is not available here", "'item' is not available here", "there is no parameter 'nme'",
                "expected a list of values, found an empty one", "expected a string, found a mapping",
                "'item' is not available here", "'steps' is not available here", "unknown setting 'fles' of 'foreach'",
                "'foreach' has no effect in a 'parallel' step",
                "cannot compare a string with a number", "expected a mapping or a list, found a string",
            ])
    }

    @Test func unknownOutcomesAreReported() {
        expectFindings(
            """
            steps:
              - { id: a, run: x }
              - run: y
                if: steps.a.outcome == «'failure'» || «'Skipped'» != steps.a.outcome || steps.a.outcome == 'failed'
              - run: y
                if: steps.«b».outcome == 'failed'
              - run: y
                if: «steps.a.outcome == 1»
            """,
            [
                "an outcome is never 'failure'", "an outcome is never 'Skipped'", "there is no step with the id 'b'",
                "cannot compare a string with a number",
            ])
    }

    @Test func wordsThatAValueNeverHasAreReported() {
        expectFindings(
            """
            parameters:
              to: { type: enum, values: [eu, us], default: eu }
              several: { type: enum, values: [eu, us], position: 1, variadic: true }
              name: string
            steps:
              - run: x
                if: platform.os == «'macOS'» || «'windows'» != platform.os || platform.os == 'linux'
              - run: x
                if: platform.arch == «'aarch64'»
              - run: x
                if: parameters.to == «'usa'» || parameters.to == 'us' || parameters.to == '' || parameters.name == 'a'
            """,
            [
                "the operating system is never 'macOS'", "the operating system is never 'windows'",
                "the architecture is never 'aarch64'", "'to' is never 'usa'",
            ])
    }

    @Test func aConditionCanNameAllServices() {
        let conditions = CIService.all.map { "ci.name == '\($0.name)'" }.joined(separator: " || ")
        expectFindings("steps: [{ run: x, if: \"\(conditions)\" }]\n", [])
        expectFindings(
            "steps: [{ run: x, if: \"ci.name == «'kubernetes'»\" }]\n",
            ["the name of the CI service is never 'kubernetes'"])
    }

    @Test func valuesOfAMatrixAndOfForeachAreKnown() {
        expectFindings(
            """
            matrix:
              os: [linux, mac]
              swift: [6.2, "6.3"]
              debug: [true, false]
              exclude: [{ os: mac, swift: 6.2 }]
              include: [{ os: windows }, { os: linux, kind: fast }]
            steps:
              - run: x
                if: matrix.os == 'windows' && matrix.os == «'macos'» && matrix.swift == '6.2' && matrix.swift != «'6.1'»
              - run: x
                if: matrix.kind == 'fast' && matrix.kind == «'slow'» && matrix.debug == true
              - run: x
                foreach: [a, b]
                if: item == 'a' || item == «'c'»
              - run: x
                foreach: "${{ env.ITEMS }}"
                if: item == 'c'
            """,
            [
                "'matrix.os' is never 'macos'", "'matrix.swift' is never '6.1'", "'matrix.kind' is never 'slow'",
                "'item' is never 'c'",
            ])
    }

    @Test func outputsOfActions() {
        expectFindings(
            """
            steps:
              - id: next
                bump: {}
              - parallel:
                  - id: pages
                    docs: {}
                  - id: style
                    lint: {}
              - id: each
                foreach: [a, b]
                checksum: { files: ["${{ item }}"] }
              - id: own
                run: echo x=y >> "$LANE_OUTPUT"
              - run: echo ${{ steps.next.version }} ${{ steps.next.«verison» }} ${{ steps.own.x }}
              - run: echo ${{ steps.pages.«url» }} ${{ steps.style.«path» }} ${{ steps.style.outcome }}
                if: ${{ «steps.pages.warnings == 'no'» }}
              - run: echo ${{ steps.each.files[0] }} ${{ steps.each.«sums» }}
            """,
            [
                "step 'next' has no output 'verison'", "step 'pages' has no output 'url'",
                "step 'style' has no output 'path'", "cannot compare a number with a string",
                "step 'each' has no output 'sums'",
            ])
    }
}
