import Arguments
import LaneModel
import OperatingSystem
import Text

/// The command `lane init`.
enum InitCommand: Subcommand {
    static let name = "init"

    private static let ci = Key<Bool>.flag("ci", help: "Also write the CI files, as 'lane ci generate' does.")
    private static let docker = Key<Bool>.flag(
        "docker", help: "Also write a Dockerfile with a Swift toolchain and lane.")

    static let spec = CommandSpec(
        name, abstract: "Write the built-in lanes to Lanes/, so that you can change them.",
        discussion: """
            Prints what it found in the package and which files it wrote. Existing files are not changed.
            """,
        parameters: [ci.spec, docker.spec])

    static func run(_ arguments: ParsedArguments, in world: World) throws(CommandFailure) -> ExitStatus {
        let root = try Project.root(around: world.directory)
        let survey = PackageSurvey(root: root, in: world)
        for finding in survey.findings {
            world.output.writeLine("found    \(TerminalText.padded(finding.label, to: 11))\(finding.text)")
        }
        let dockerfile = arguments[docker] ? try dockerfile(repository: world.laneRepository) : nil
        let files = NewFiles(root: root, output: world.output)
        for source in BuiltInLanes.sources { try files.write(source.bytes, to: source.path) }
        if let dockerfile { try files.write(Array(dockerfile.utf8), to: "Dockerfile") }
        if arguments[ci] {
            var inner = world
            inner.arguments = [CICommand.name, "generate"]
            let status = Program.run(in: inner)
            guard status == .done else { return status }
        }
        // Without the address of lane's repository, the CI files need a configuration.
        let canGenerate = !survey.hasCI && !arguments[ci] && !world.laneRepository.isEmpty
        let next = canGenerate ? "lane ci generate" : "lane check"
        world.output.writeLine("next     lane test\nnext     \(next)")
        return .done
    }

    /// Returns a Dockerfile for a package. Its image gets `lane` from the releases of a repository.
    static func dockerfile(repository: String) throws(CommandFailure) -> String {
        guard !repository.isEmpty else {
            throw CommandFailure(
                .usage, "the address of the releases of this lane is unknown, so an image cannot download it",
                hint: "set LANE_REPOSITORY=https://…, the address of lane's repository")
        }
        let release = "\(repository)/releases/download/\(LaneVersion.current)"
        return """
            # A Swift toolchain and lane, for any checkout of this package:
            #
            #   docker build -t lane - <Dockerfile
            #   docker run --rm --init -u "$(id -u):$(id -g)" -v "$PWD":/workspace lane test
            FROM swift:6.3-bookworm
            # The Debian release of the base image determines the versions.
            # hadolint ignore=DL3008
            RUN apt-get update \\
                && apt-get install -y --no-install-recommends curl git \\
                && rm -rf /var/lib/apt/lists/*
            SHELL ["/bin/bash", "-o", "pipefail", "-c"]
            RUN curl -fsSL \(release)/install.sh | LANE_PREFIX=/usr/local sh
            # Lets any user run the image on any checkout: all users share one home, and git trusts every checkout.
            RUN mkdir -m 1777 /home/lane && git config --system --add safe.directory '*'
            ENV HOME=/home/lane
            # Keeps the build products of this image apart from those of the host.
            ENV SWIFTPM_BUILD_DIR=.build/container
            WORKDIR /workspace
            USER 1000:1000
            ENTRYPOINT ["lane"]

            """
    }
}

/// A writer for the files of `lane init`, which keeps existing files.
private struct NewFiles {
    let root: String
    let output: OutputChannel

    /// Writes a file unless it exists, and prints the result.
    func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
        guard !fileExists("\(root)/\(path)") else { return output.writeLine("kept     \(path)") }
        do throws(FileError) {
            try makeDirectories(parentDirectory("\(root)/\(path)"))
            try writeFile(bytes, to: "\(root)/\(path)")
        } catch {
            throw CommandFailure(.cannotWrite, error.description)
        }
        output.writeLine("written  \(path)")
    }
}
