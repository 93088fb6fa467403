package import LaneModel

/// The keys of the configuration.
package enum CIKeys {
    /// The keys of the file.
    package static let file = ActionSchema(
        CIPlanReader.path, "The configuration of CI",
        settings: [
            SettingSchema("services", .list(.choice(CIFormat.all.map(\.name))), "The CI services"),
            SettingSchema(
                "store", .string,
                "The address of a directory on an HTTP server with GET and PUT, through which Kubernetes pods exchange files"
            ),
            SettingSchema("branches", .list(.string), "The branches whose pushes run the jobs"),
            SettingSchema("tags", .list(.string), "The tags whose pushes run the jobs on 'tag'; all by default"),
            SettingSchema(
                "paths", .list(.string),
                "The patterns of changed files that run the jobs, relative to the repository's root; '**' for all"),
            SettingSchema("image", .string, "The container image of Linux jobs"),
            SettingSchema(
                "lane", .either([.string, .object(tool)]), "The command that runs lane, or the source to fetch it from"),
            SettingSchema("setup", .list(.string), "The shell commands that precede the lanes in every job"),
            SettingSchema("jobs", .map(.object(job)), "The jobs by name"),
        ])

    private static let tool = [
        SettingSchema("repository", .string, "The git repository that contains 'ci/lane'", isRequired: true),
        SettingSchema("version", .string, "The tag in the repository", isRequired: true),
        SettingSchema(
            "sha256", .string,
            "The SHA-256 of the release's archive for Linux on x86-64, which jobs download instead of building lane"),
    ]

    private static let job = [
        SettingSchema(
            "lanes", .list(.either([.string, .object(LaneKeys.call)])), "The lanes, which run one after another",
            isRequired: true),
        SettingSchema("name", .string, "The title of the job"),
        SettingSchema("on", .list(.choice(CIJob.Event.allCases.map(\.rawValue))), "The events that start the job"),
        SettingSchema(
            "schedule", .list(.string),
            "The times in UTC at which the job starts, as for cron: minute, hour, day, month, day of the week"),
        SettingSchema("runner", .list(.string), "The labels of the job's runner on GitHub"),
        SettingSchema(
            "shards", .integer(1...256),
            "The number of machines that run the tests of the lane; the tests are built once and reported once"),
        SettingSchema("needs", .list(.string), "The jobs above that must succeed first"),
        SettingSchema(
            "swift", .list(.toolVersion), "The versions of Swift; one job for each, in the image of the version"
        ),
        SettingSchema(
            "os", .list(.choice(CIJob.System.allCases.map(\.rawValue))), "The systems; one job for each"),
        SettingSchema("image", .string, "The container image of a Linux job"),
        SettingSchema("setup", .list(.string), "The shell commands that precede the lanes"),
        SettingSchema("timeout", .timeLimit, "The time limit of the job"),
        SettingSchema("artifacts", .list(.path), "The files and directories to upload"),
        SettingSchema(
            "permissions", .map(.choice(["read", "write"])), "The permissions on GitHub in addition to reading"),
        SettingSchema("environment", .string, "The environment on GitHub"),
        SettingSchema(
            "may-fail", .bool, "The result of the job does not count; only for GitHub and Azure"),
    ]
}
