import Arguments
import Expressions
import LaneModel
import Text

extension HelpPage {
    /// The page of the keys of lane files.
    static let laneFile = HelpPage(
        "Lane files", "The keys of a lane file",
        [
            .paragraph(
                "'Lanes/NAME.yml' contains the lane NAME: steps in order, each with an action or a command. Files whose names start with '_' are not lanes; lanes 'include' them. 'lane check' reports all errors, and 'lane schema' prints a JSON schema for editors."
            ),
            .heading("Example"),
            .yaml(
                """
                summary: Test and upload the site
                parameters:
                  target: { type: enum, values: [staging, production], position: 1, default: staging }
                needs: [lint]
                env: { SITE: build/site }
                secrets: [UPLOAD_TOKEN]
                timeout: 15m
                steps:
                  - test: { retries: 1 }
                  - id: measure
                    run: echo "bytes=$(wc -c < "$SITE/index.html")" >> "$LANE_OUTPUT"
                  - name: upload ${{ steps.measure.bytes }} bytes
                    run: [upload, "${{ env.SITE }}", "${{ parameters.target }}"]
                    secrets: [UPLOAD_TOKEN]
                    if: ${{ !ci.active }}
                    retry: { times: 3, backoff: 2s }
                always:
                  - run: [rm, -rf, build/tmp]
                """),
            .heading("Keys of a lane"), .rows(Row.rows(LaneKeys.lane)),
            .heading("Keys of a parameter"), .rows(Row.rows(LaneKeys.parameter)),
            .heading("Keys of a step"),
            .paragraph("A step has one action, such as 'run' or 'test', and any of these keys."),
            .rows(Row.rows(LaneKeys.step)),
        ])

    /// The page of the expression language.
    static let expressions = HelpPage(
        "Expressions", "The values between '${{' and '}}' in lane files",
        [
            .paragraph(
                "You can use expressions in the settings of actions, and in 'if', 'env', 'name', 'directory', 'inputs' and 'outputs'. A single expression keeps the type of its value; with other text, it becomes a string. 'if' needs no '${{'."
            ),
            .heading("Example"),
            .yaml(
                """
                steps:
                  - id: size
                    run: echo "bytes=42" >> "$LANE_OUTPUT"
                  - run: [report, "${{ steps.size.bytes }}", "${{ default(env.HOST, 'local') }}"]
                    if: ${{ ci.active && !contains(git.branch, 'wip') }}
                """),
            .heading("Values"),
            .rows(
                ContextName.allCases.flatMap { context in
                    [Row(context.rawValue, context.help + ".")]
                        + context.members.map { Row("  \(context.rawValue).\($0.name)", $0.help + ".") }
                }),
            .heading("Functions"),
            .rows(ExpressionFunction.allCases.map { Row($0.usage.call, $0.usage.help.capitalizedSentence) }),
            .heading("Operators"),
            .rows([
                Row("== !=", "Equal, not equal; 'null' equals only itself."),
                Row("< <= > >=", "The order of numbers."),
                Row("! && ||", "Not, and, or; both sides are true or false."),
                Row("a.b a['b'] a[0]", "A member of a mapping, an element of a list."),
                Row("'text' 42 true null", "Literals; two single quotes in a string represent one."),
            ]),
        ])

    /// The page of the exit statuses.
    static let exitStatuses = HelpPage(
        "Exit statuses", "The exit statuses of 'lane', a stable interface for scripts",
        [
            .rows(
                ExitStatus.documented.map { Row(String($0.status.rawValue), $0.meaning + ".") })
        ])
}

extension String {
    /// The text as a sentence, with a capital letter at its start and a full stop.
    fileprivate var capitalizedSentence: String {
        prefix(1).uppercased() + dropFirst() + "."
    }
}
