import Expressions

/// The actions of a release.
extension ActionSchema {
    static let bump = ActionSchema(
        "bump", "Write the next version to every file that names it", shorthand: "version",
        settings: [
            SettingSchema("version", .version, "The next version; computed from the commits by default"),
            versionFiles("The files that name the version; detected by default"),
        ],
        outputs: [
            ActionOutput("version", .string, "The new version"),
            ActionOutput("tag", .string, "The name of its tag"),
            ActionOutput("previous", .string, "The last version, if there is one"),
            ActionOutput("files", .list, "The changed files, if any"),
        ],
        example: """
            - bump: minor
            - bump:
                version: ${{ parameters.version }}
                files: [Sources/Shape/Version.swift, { path: setup.txt, pattern: "v{version}" }, { path: ports.txt, count: 2 }]
            """)

    private static func versionFiles(_ summary: String) -> SettingSchema {
        SettingSchema(
            "files",
            .list(
                .either([
                    .path,
                    .object([
                        SettingSchema("path", .path, "The file", isRequired: true),
                        SettingSchema(
                            "pattern", .string, "The text around the version, with {version} in place of the version"),
                        SettingSchema(
                            "count", .integer(1...10_000), "The expected number of occurrences; by default one"),
                    ]),
                ])), summary)
    }

    static let changelog = ActionSchema(
        "changelog", "Write the section of the next version from the commits",
        settings: [
            SettingSchema(
                "file", .path, "The changelog; by default also CHANGES or HISTORY", default: .string("CHANGELOG.md")),
            SettingSchema("version", .version, "The version; the version of 'bump' by default"),
        ],
        outputs: [
            ActionOutput("notes", .string, "The section of the version")
        ],
        example: """
            - changelog: {}
            - changelog: { file: HISTORY.md, version: 1.2.0 }
            """)

    static let package = ActionSchema(
        "package", "Build the release archives",
        settings: [
            SettingSchema("products", .list(.string), "The products to package; all of Package.swift by default"),
            SettingSchema("name", .string, "The prefix of the archive's name; the package's name by default"),
            SettingSchema("version", .version, "The version; found in files, tags or the changelog by default"),
            SettingSchema("output", .path, "The directory of the archives", default: .string("dist")),
            SettingSchema("verify", .bool, "Unpack each archive and test its contents", default: .bool(true)),
            SettingSchema("reproducible", .bool, "Build again in another directory and compare the bytes"),
            SettingSchema("sign", .bool, "Sign the checksums with the key of tags, if git's configuration signs tags"),
            SettingSchema(
                "formats", .list(.choice(["deb", "formula", "image"])),
                "More files for those who install the executables: a Debian package, a Homebrew formula, a container image"
            ),
            SettingSchema(
                "description", .string,
                "One line about the executables for 'formats'; by default the first sentence of README"),
            SettingSchema("sources", .bool, "Include the sources; by default only beside libraries"),
            SettingSchema("allow-empty", .bool, "Succeed if the package has no products"),
            SettingSchema(
                "parts", .path,
                "The directory of the files that other machines packaged from the same commit; verified instead of a build"
            ),
        ],
        outputs: [
            ActionOutput("archive", .string, "The path of the archive"),
            ActionOutput("sha256", .string, "Its SHA-256"),
            ActionOutput("version", .string, "The version"),
            ActionOutput("name", .string, "The name of the files, without their extensions"),
        ],
        example: """
            - package: {}
            - package: { products: [Shape, shape-tool], name: shape, version: 1.2.0, output: build/archives }
            - package: { verify: true, reproducible: true, sources: true, sign: true, allow-empty: false }
            - package: { formats: [deb, formula, image], description: Draw shapes in the terminal }
            - package: { parts: .lane/parts }
            """)

    static let checksum = ActionSchema(
        "checksum", "Write the SHA-256 checksums of files", shorthand: "files",
        settings: [
            SettingSchema(
                "files", .list(.string), "The files, as paths or glob patterns", default: .list([.string("dist/*")])),
            SettingSchema("into", .path, "One file for all checksums; by default a '.sha256' file beside each file"),
            SettingSchema(
                "sign", .bool, "Sign the checksum files with the key of tags, if git's configuration signs tags"),
        ],
        outputs: [
            ActionOutput("files", .list, "The paths of the checksum files")
        ],
        example: """
            - checksum: [dist/*.tar.gz]
            - checksum: { files: [dist/*.tar.gz], into: dist/SHA256SUMS, sign: true }
            """)

    static let commit = ActionSchema(
        "commit", "Commit the changes of the previous steps", shorthand: "message",
        settings: [
            SettingSchema("message", .string, "The commit message"),
            SettingSchema("files", .list(.path), "The only files to commit"),
        ],
        outputs: [
            ActionOutput("commit", .string, "The full hash of the commit")
        ],
        example: """
            - commit: Release ${{ parameters.version }}
            - commit: { message: "Update the grammar", files: [Sources/Grammar] }
            """)

    static let tag = ActionSchema(
        "tag", "Create an annotated tag", shorthand: "name",
        settings: [
            SettingSchema("name", .string, "The name of the tag; the version by default"),
            SettingSchema("message", .string, "The tag message"),
        ],
        outputs: [
            ActionOutput("name", .string, "The name of the tag")
        ],
        example: """
            - tag: {}
            - tag: { name: v1.2.0, message: "Shape 1.2.0" }
            """)

    static let publish = ActionSchema(
        "publish", "Create the release of a tag, or complete it", shorthand: "to",
        settings: [
            SettingSchema("to", .choice(["github"]), "The service to publish to", isRequired: true),
            SettingSchema("tag", .string, "The tag; the version tag of HEAD by default"),
            SettingSchema(
                "files", .list(.string),
                "The files to upload, as paths or glob patterns; by default the files of 'package' and 'checksum' in 'dist'"
            ),
            SettingSchema("name", .string, "The title of the release; the tag by default"),
            SettingSchema(
                "notes", .string, "The text of the release; the version's section of CHANGELOG.md by default"),
            SettingSchema("draft", .bool, "Create a draft to be published manually"),
            SettingSchema("push", .bool, "Push the branch and the tag together first, without force"),
        ] + publishTarget + [
            SettingSchema("replace", .bool, "Replace files that differ in a published release")
        ],
        outputs: [
            ActionOutput("url", .string, "The address of the release"),
            ActionOutput("tag", .string, "The tag"),
            ActionOutput("draft", .bool, "The release is a draft"),
            ActionOutput("files", .list, "The names of its files"),
        ],
        example: """
            - publish: github
            - publish:
                to: github
                push: true
                remote: origin
                repository: example/shape
                tag: v1.2.0
                name: Shape 1.2.0
                notes: Smaller and faster.
                files: [dist/*]
                token: GITHUB_TOKEN
                draft: true
                replace: false
            """)

    /// The settings of the actions that send something to a service.
    private static let publishTarget = [
        SettingSchema(
            "remote", .string, "The remote to push to, which also names the repository",
            default: .string(publishRemote)),
        SettingSchema(
            "repository", .string,
            "The repository as owner/name; by default GITHUB_REPOSITORY or the repository of the remote"),
        SettingSchema(
            "token", .string, "The secret that contains the token", default: .string(publishToken)),
    ]

    static let pullRequest = ActionSchema(
        "pull-request", "Propose the release commit in a pull request on GitHub, and change nothing here",
        settings: publishTarget,
        outputs: [
            ActionOutput("url", .string, "The address of the pull request"),
            ActionOutput("branch", .string, "The branch with the commit"),
        ],
        example: """
            - pull-request: {}
            - pull-request: { remote: origin, repository: example/shape, token: GITHUB_TOKEN }
            """)

    /// The default remote.
    package static let publishRemote = "origin"

    /// The default secret for the token: the variable of GitHub's runners and command-line tool.
    package static let publishToken = "GITHUB_TOKEN"

    static let require = ActionSchema(
        "require", "Check the requirements before anything is changed",
        settings: [
            SettingSchema("clean", .bool, "The checkout has no changes and no untracked files"),
            SettingSchema("branch", .string, "The branch that must be checked out"),
            SettingSchema(
                "tools", .either([.list(.string), .map(.string)]),
                "Programs that must be installed, with their required versions"),
            SettingSchema("secrets", .list(.string), "Environment variables that must have a value"),
            SettingSchema("publish-to", .choice(["github"]), "The service to which publishing must be possible"),
            SettingSchema("remote", .string, "The remote for 'publish-to'; by default the remote of 'publish'"),
            SettingSchema(
                "repository", .string,
                "The repository as owner/name for 'publish-to'; by default the repository of 'publish'"),
            SettingSchema(
                "token", .string, "The secret with the token for 'publish-to'; by default the token of 'publish'"),
            SettingSchema(
                ReleaseNames.pullRequest, .bool,
                "Check for 'publish-to' that a pull request can be opened, not that a push of the branch is possible; by default the condition of 'pull-request'"
            ),
            SettingSchema("version", .version, "A version that is unused and greater than the last one"),
            versionFiles(
                "The files that name the version; by default the files of the lane's 'bump', or the detected files"),
        ],
        outputs: [],
        example: """
            - require: { clean: true, branch: main, version: "${{ parameters.version }}" }
            - require:
                tools: { swift: ">= 6.2", git: "2" }
                secrets: [GITHUB_TOKEN]
                publish-to: github
                remote: origin
                repository: example/shape
                token: GITHUB_TOKEN
                pull-request: false
                files: [VERSION]
            """)
}
