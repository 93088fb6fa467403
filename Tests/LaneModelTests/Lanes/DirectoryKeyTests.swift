import Testing

/// Tests of the errors in `directory` and in `steps.ID.outcome`.
@Suite struct DirectoryKeyTests {
    @Test func misusesOfADirectoryAreReported() {
        expectFindings(
            """
            directory: «[a, b]»
            steps:
              - run: x
                directory: «{ a: b }»
              - test: {}
                «directory»: Site
              - lane: other
                «directory»: Site
              - parallel: [{ run: x }]
                «directory»: Site
              - run: { command: x, directory: a }
                «directory»: b
              - run: x
                directory: ${{ parameters.«nme» }}
            """,
            [
                "expected a path, found a list", "expected a path, found a mapping",
                "'directory' has no effect in a 'test' step", "'directory' has no effect in a 'lane' step",
                "'directory' has no effect in a 'parallel' step", "the step and its 'run' both have a 'directory'",
                "there is no parameter 'nme'",
            ], beside: ["other": "steps: [{ run: x }]"])
    }

    @Test func stepsThatIgnoreTheDirectoryOfTheLaneAreReported() {
        expectFindings(
            """
            directory: Site
            steps:
              - run: x
              - «test»: {}
              - parallel: [{ run: x }, { «build»: {} }]
              - lane: other
            always:
              - «lint»: {}
            """,
            [
                "'test' ignores the lane's 'directory'", "'build' ignores the lane's 'directory'",
                "'lint' ignores the lane's 'directory'",
            ], beside: ["other": "steps: [{ run: x }]"])
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
                "there is no outcome 'failure'", "there is no outcome 'Skipped'", "there is no step with the id 'b'",
                "cannot compare a string with a number",
            ])
    }
}
