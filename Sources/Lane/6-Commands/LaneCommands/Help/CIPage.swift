import Arguments
import CI
import LaneModel

extension HelpPage {
    /// The page of CI files and their configuration.
    static let ci = HelpPage(
        "CI", "CI files that are generated from the lanes",
        [
            .code("lane ci generate    # write the files\nlane ci check       # status 1 if a file is not up to date"),
            .paragraph(
                "By default, jobs run the tests for every change, build the archives after them, and make a release when you start it with a form. '\(CIPlanReader.path)' overrides this:"
            ),
            .yaml(
                """
                services: [github, circleci]
                branches: [main]
                jobs:
                  checks:
                    lanes: [test, { lane: deploy, parameters: { target: staging } }]
                    os: macos
                  deploy:
                    on: manual
                    lanes: [deploy]
                    environment: production
                """),
            .heading("Keys"), .rows(Row.rows(CIKeys.file.settings)),
        ])
}
