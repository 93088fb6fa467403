import Arguments
import Text

extension HelpPage {
    private static let services = CIService.all.map { "\($0.title) by \($0.variable)" }.joined(separator: ", ")
    private static let summaries = CIService.all.compactMap { service in
        service.summaryVariable.map { "On \(service.title), a summary is appended to \($0)." }
    }.joined(separator: " ")

    /// The page of the environment variables that users set, and of those that steps get.
    static let environment = HelpPage(
        "Environment variables", "The environment variables that 'lane' reads, and those of steps",
        [
            .paragraph(
                "Programs that 'lane' starts get its environment, except secrets: a variable that a lane declares as a secret is passed only to steps that name it."
            ),
            .heading("Output"),
            .rows([
                .init("NO_COLOR", "No colors, unless it is empty."),
                .init("CLICOLOR_FORCE, FORCE_COLOR", "Colors without a terminal, unless it is empty or 0."),
                .init("CLICOLOR, FORCE_COLOR", "No colors if it is 0."),
                .init("TERM", "No colors and no live rows if it is 'dumb'."),
                .init("COLUMNS", "The width of wrapped text, such as help."),
                .init("LC_ALL, LC_CTYPE, LANG", "ASCII instead of symbols unless the encoding is UTF-8."),
            ]),
            .heading("Builds and releases"),
            .rows([
                .init("SWIFTPM_BUILD_DIR", "The build directory of SwiftPM; '.build' by default."),
                .init("SOURCE_DATE_EPOCH", "The time of all files in archives, in seconds since 1970."),
                .init("DOCC_HTML_DIR", "The template of pages that 'docs' makes, as for DocC."),
                .init("GITHUB_TOKEN", "The token of 'publish', unless the step names another secret."),
                .init("GITHUB_REPOSITORY", "The repository of 'publish' as owner/name; that of the remote by default."),
                .init("GITHUB_API_URL", "The address of the API, for GitHub Enterprise."),
                .init("LANE_REPOSITORY", "The repository from which CI jobs get 'lane', if it was built without one."),
            ]),
            .heading("CI services"),
            .paragraph(
                "Each service is recognized by a variable of its own: \(services). Any other one is recognized by 'CI'. There, 'lane' asks no questions. A value of 'false' is the same as none. \(summaries)"
            ),
            .heading("Files"),
            .rows([
                .init("HOME", "The home directory, with the caches of SwiftPM."),
                .init("TMPDIR", "The directory of temporary files; /tmp by default."),
                .init("PATH", "The directories of programs."),
                .init("SHELL", "The shell of 'lane completions' without a name."),
            ]),
            .heading("Set for steps"),
            .rows([
                .init("LANE_OUTPUT", "A file to which the step writes outputs as lines 'NAME=VALUE'."),
                .init("LANE_ENV", "A file to which the step writes variables of later steps of its lane."),
                .init("LANE_CONTAINER", "The options of the container, for steps that run with '--in docker'."),
            ]),
        ])
}
