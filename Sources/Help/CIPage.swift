package import Arguments
import CIConfig
import LaneModel

extension HelpPage {
    /// The page of CI files and their configuration.
    package static let ci = HelpPage(
        "CI", "CI files that are generated from the lanes",
        [
            .code("lane ci generate    # write the files\nlane ci check       # status 1 if they have drifted apart"),
            .paragraph(
                "Without a configuration, a package gets its tests for every change, its archives after them, and its release as a form. '\(CIPlanReader.path)' changes that:"
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
