/// What changes versions, packs and publishes.
extension ActionSchema {
    static let bump = ActionSchema(
        "bump", "Writes the next version into every place that names it", shorthand: "version",
        settings: [
            SettingSchema("version", .version, "The next version; worked out from the commits when left out"),
            versionFiles("The files that name the version; found when left out"),
        ])

    private static func versionFiles(_ summary: String) -> SettingSchema {
        SettingSchema(
            "files",
            .list(
                .either([
                    .path,
                    .object([
                        SettingSchema("path", .path, "The file", isRequired: true),
                        SettingSchema("pattern", .string, "The text around the version, with {version} in it"),
                        SettingSchema(
                            "count", .integer(1...10_000), "How many places it has; then every mention counts"),
                    ]),
                ])), summary)
    }

    static let changelog = ActionSchema(
        "changelog", "Writes the section of the next version from the commits",
        settings: [
            SettingSchema("file", .path, "The changelog, or else CHANGES or HISTORY", default: .string("CHANGELOG.md")),
            SettingSchema("version", .version, "The version; the bumped one when left out"),
        ])

    static let package = ActionSchema(
        "package", "Builds the release archives",
        settings: [
            SettingSchema("products", .list(.string), "The products to pack; those of Package.swift when left out"),
            SettingSchema("name", .string, "How the archive's name begins; the package's name when left out"),
            SettingSchema("version", .version, "The version; as files, tags or changelog say when left out"),
            SettingSchema("output", .path, "The folder for the archives", default: .string("dist")),
            SettingSchema("verify", .bool, "Unpacks and uses the archive before it counts", default: .bool(true)),
            SettingSchema("reproducible", .bool, "Builds a second time elsewhere and compares the bytes"),
            SettingSchema("allow-empty", .bool, "A package without products to pack is no failure"),
        ])

    static let checksum = ActionSchema(
        "checksum", "Writes the SHA-256 sums of files, or checks them", shorthand: "files",
        settings: [
            SettingSchema(
                "files", .list(.string), "The files, by path or pattern", default: .list([.string("dist/*")])),
            SettingSchema("into", .path, "One file for all sums; else each file gets a '.sha256' beside it"),
            SettingSchema("verify", .bool, "Writes nothing and checks the sums that are there"),
        ])

    static let commit = ActionSchema(
        "commit", "Commits what the steps before have changed", shorthand: "message",
        settings: [
            SettingSchema("message", .string, "The commit's message"),
            SettingSchema("files", .list(.path), "Only these files"),
        ])

    static let tag = ActionSchema(
        "tag", "Makes an annotated tag", shorthand: "name",
        settings: [
            SettingSchema("name", .string, "The tag; the version when left out"),
            SettingSchema("message", .string, "The tag's message"),
        ])

    static let publish = ActionSchema(
        "publish", "Makes the release of a tag, or completes it", shorthand: "to",
        settings: [
            SettingSchema("to", .choice(["github"]), "Where to", isRequired: true),
            SettingSchema("tag", .string, "The tag; the version tag of HEAD when left out"),
            SettingSchema(
                "files", .list(.string),
                "What to upload, by path or pattern; those that 'package' and 'checksum' made in 'dist' when left out"),
            SettingSchema("name", .string, "The release's title; the tag when left out"),
            SettingSchema("notes", .string, "The release's text; the version's section of CHANGELOG.md when left out"),
            SettingSchema("draft", .bool, "Leaves it a draft, to be published by hand"),
            SettingSchema("push", .bool, "Pushes the branch and the tag before, both or none, and never with force"),
            SettingSchema(
                "remote", .string, "Where to push, and whose repository it is", default: .string(publishRemote)),
            SettingSchema(
                "repository", .string, "As in owner/name; GITHUB_REPOSITORY or the remote's when left out"),
            SettingSchema(
                "token", .string, "The secret that holds the token", default: .string(publishToken)),
            SettingSchema("replace", .bool, "Replaces files of other content in a release that is public already"),
        ])

    /// Where to push, and whose repository it is, unless a step says otherwise.
    package static let publishRemote = "origin"

    /// The variable in which GitHub's own runners and its command-line tool have the token.
    package static let publishToken = "GITHUB_TOKEN"

    static let require = ActionSchema(
        "require", "Checks what must hold before anything is changed",
        settings: [
            SettingSchema("clean", .bool, "Nothing in the checkout is changed or new"),
            SettingSchema("branch", .string, "The branch that is checked out"),
            SettingSchema(
                "tools", .either([.list(.string), .map(.string)]),
                "Programs that must be there, with the versions they must have"),
            SettingSchema("secrets", .list(.string), "Environment variables that must have a value"),
            SettingSchema("publish-to", .choice(["github"]), "Where it is known which repository to publish to"),
            SettingSchema("version", .version, "A version that is free and greater than the last"),
            versionFiles("The files that name the version; those of the lane's 'bump', or found, when left out"),
        ])
}
