import LaneModel
import Testing
import Text

@Suite struct EmptyValueTests {
    @Test func emptyCommands() {
        expectFindings(
            """
            steps:
              - run: «""»
              - run: «[]»
              - run: [«""», x]
              - run: { command: «"  "» }
              - run: «|»
              - run: ["${{ env.X }}"]
              - parallel:
                  - run: «" \\n"»
            """,
            [
                "expected a command, found an empty string",
                "expected a program and its arguments, found an empty list",
                "expected a program, found an empty string", "expected a command, found only whitespace",
                "expected a command, found an empty string", "expected a command, found only whitespace",
            ])
    }

    @Test func scriptsOfOtherLanguagesHaveNoExpressions() {
        expectFindings(
            """
            steps:
              - run: { shell: python3, command: «"print(${{ git.branch }})"» }
              - run: «"#!/usr/bin/env python3\nprint(${{ git.branch }})"»
              - run: { shell: bash -eu, command: "echo ${{ git.branch }}" }
              - run: "#!/usr/bin/env bash\necho ${{ git.branch }}"
              - run: { shell: «bash», command: [echo] }
            """,
            [
                "a script for 'python3' cannot contain expressions",
                "a script for '/usr/bin/env' cannot contain expressions", "'shell' runs a script, found a list",
            ])
    }

    @Test func emptyValuesAreReportedAtTheirKeys() {
        expectFindings(
            """
            timeout: «null»
            secrets: [A, «~»]
            steps:
              - run: x
              - «null»
              - parallel: [«null»]
              - run: y
              -«»
            """,
            [
                "expected a duration such as 90s, 2m or 1h30m, found nothing", "expected a string, found nothing",
                "expected a step, found nothing", "expected a step, found nothing", "expected a step, found nothing",
            ])
    }

    @Test func emptyLanes() {
        expectFindings("«summary»: x\n", ["the lane has neither 'steps' nor 'needs'"])
        expectFindings("«[x]»\n", ["expected a mapping with the keys of a lane, found a list"])
        expectFindings("«»# nothing\n", ["the file is empty"])
    }
}
