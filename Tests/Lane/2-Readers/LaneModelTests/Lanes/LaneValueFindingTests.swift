import LaneModel
import Testing
import Text

/// Tests of errors in `let`, in defaults from commands, and in names of lanes.
@Suite struct LaneValueFindingTests {
    @Test func misusesOfLetAreReportedAtTheirLocations() {
        expectFindings(
            """
            parameters: { version: { default: x } }
            secrets: [TOKEN]
            let:
              a: ${{ let.«b» }}
              b: ${{ «steps».x.y }}
              «1»: x
              c: { run: x, «rnu»: x }
              d: { run: «''», secrets: [«OTHER»] }
              e: { run: «[]» }
              «f»:
              g: "${{ parameters.«vrsion» }}"
            steps:
              - run: echo ${{ let.«aa» }} ${{ let.a }} ${{ let.c }}
            """,
            [
                "there is no value in 'let' named 'b'", "'steps' is not available here",
                "'1' is not a valid name for a value", "unknown setting 'rnu' of 'let'",
                "expected a command, found an empty string",
                "'secrets' uses 'OTHER', which is not a secret of the lane",
                "expected a program and its arguments, found an empty list", "'f' has no value",
                "there is no parameter 'vrsion'", "there is no value in 'let' named 'aa'",
            ])
    }

    @Test func neededLanesHaveNoLet() {
        expectFindings(
            """
            let: { a: x }
            needs: [{ lane: other, parameters: { v: "${{ «let».a }}" } }]
            steps: [{ lane: other, parameters: { v: "${{ let.a }}" } }]
            """, ["'let' is not available here"],
            beside: ["other": "parameters: { v: string }\nsteps: [run: x]"])
    }

    @Test func aLaneIsNamedInOneForm() {
        expectFindings(
            """
            needs: [other, { lane: other, parameters: { v: x } }]
            steps:
              - { lane: other, parameters: { v: x } }
              - lane: «{ name: other }»
              - { lane: other, «id»: a }
              - { run: x, «parameters»: { v: x } }
              - { lane: other, parameters: «x» }
              - { lane: other, «paramters»: { v: x } }
            """,
            [
                "expected the name of a lane, found a mapping", "'id' has no effect in a 'lane' step",
                "'parameters' has no effect in a 'run' step", "expected a mapping, found the string 'x'",
                "unknown key 'paramters' in a step",
            ], beside: ["other": "parameters: { v: string }\nsteps: [run: x]"])
    }

    @Test func defaultsFromCommandsAreChecked() {
        expectFindings(
            """
            parameters:
              a: { default: { run: «''» } }
              b: { default: { run: «"echo ${{ git.commit }}"» } }
              c: { default: { run: x }, required: «true» }
            steps: [run: x]
            """,
            [
                "expected a command, found an empty string",
                "expected a command without expressions, found an expression",
                "'required' has no effect together with 'default'",
            ])
    }

    @Test func aliasesAreUnique() {
        expectFindings(
            "aliases: [t, «other», «t», «a b»]\nsteps: [run: x]\n",
            [
                "'other' is already a name of the lane 'other'", "'t' is already a name of the lane 'lane'",
                "'a b' is not a valid name for a lane",
            ], beside: ["other": "steps: [run: x]"])
    }
}
