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
            Prints what it found in the package and which files it wrote. Existing files are not changed. In a \
            directory that has packages in its subdirectories, writes lanes that run those of each package.
            """,
        parameters: [ci.spec, docker.spec])

    static func run(_ arguments: ParsedArguments, in world: World) throws(CommandFailure) -> ExitStatus {
        // The lanes of a directory with packages make it a root, too.
        let top = (try? Project.root(around: world.directory)) ?? world.directory
        let below = fileExists("\(top)/Package.swift") ? [] : packagesBelow(top)
        if !below.isEmpty {
            for option in [ci, docker] where arguments[option] {
                throw CommandFailure(
                    .usage, "'--\(option.spec.name)' needs a package, and this directory has only packages below it",
                    hint: "use '\(command("init --\(option.spec.name)", inPackage: "\(top)/\(below[0])", in: world))'")
            }
            return try writeLanes(running: below, to: top, in: world)
        }
        let root = try Project.root(around: world.directory)
        if arguments[ci] {
            // Writes nothing if the CI files cannot be generated.
            let catalog = try LaneCatalog.load(in: world)
            try CICommand.requireAddress(in: try CICommand.soundPlan(of: catalog, in: world))
        }
        let survey = PackageSurvey(root: root, in: world)
        for finding in survey.findings {
            world.output.writeLine("found    \(TerminalText.padded(finding.label, to: 11))\(finding.text)")
        }
        let dockerfile =
            arguments[docker] ? dockerfile(repository: world.laneRepository, image: survey.image) : nil
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

    /// Returns the command that runs `lane` in a package below.
    static func command(_ words: String, inPackage path: String, in world: World) -> String {
        "lane -C \(ShellWords.quoted(relativePath(path, to: world.directory))) \(words)"
    }

    /// Returns the packages in the subdirectories and in theirs, relative to a directory.
    static func packagesBelow(_ directory: String) -> [String] {
        func subdirectories(_ path: String) -> [String] {
            ((try? listDirectory("\(directory)/\(path)")) ?? []).filter { !$0.hasPrefix(".") }
                .map { path.isEmpty ? $0 : "\(path)/\($0)" }.filter { isDirectory("\(directory)/\($0)") }.sorted()
        }
        func isPackage(_ path: String) -> Bool { fileExists("\(directory)/\(path)/Package.swift") }
        return subdirectories("").flatMap { path in
            isPackage(path) ? [path] : subdirectories(path).filter(isPackage)
        }
    }

    /// Writes lanes for the root of a repository with several packages.
    private static func writeLanes(
        running packages: [String], to root: String, in world: World
    ) throws(CommandFailure) -> ExitStatus {
        world.output.writeLine("found    \(TerminalText.padded("packages", to: 11))\(list(packages, joinedBy: "and"))")
        let files = NewFiles(root: root, output: world.output)
        for source in BuiltInLanes.sources(running: packages) { try files.write(source.bytes, to: source.path) }
        world.output.writeLine("next     lane test")
        return .done
    }

    /// Returns a Dockerfile for a package. Its image gets `lane` from the releases of a repository, or, if the address
    /// is unknown, from the directory of this program.
    ///
    /// - Parameter image: The image with the Swift toolchain.
    static func dockerfile(repository: String, image: String) -> String {
        let release = "\(repository)/releases/download/\(LaneVersion.current)"
        let (build, installation) =
            repository.isEmpty
            ? (
                "docker build -t lane -f Dockerfile \"$(dirname \"$(command -v lane)\")\"",
                "COPY lane /usr/local/bin/lane"
            )
            : (
                "docker build -t lane - <Dockerfile",
                "RUN curl -fsSL \(release)/install.sh | LANE_PREFIX=/usr/local sh"
            )
        return """
            # A Swift toolchain and lane, for any checkout of this package:
            #
            #   \(build)
            #   docker run --rm --init -u "$(id -u):$(id -g)" -v "$PWD":/workspace lane test
            FROM \(image)
            # The Debian release of the base image determines the versions.
            # hadolint ignore=DL3008
            RUN apt-get update \\
                && apt-get install -y --no-install-recommends curl elfutils git \\
                && rm -rf /var/lib/apt/lists/*
            SHELL ["/bin/bash", "-o", "pipefail", "-c"]
            \(installation)
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
        try convertingFileErrors(to: CommandFailure.self) { () throws(FileError) in
            try makeDirectories(parentDirectory("\(root)/\(path)"))
            try writeFile(bytes, to: "\(root)/\(path)")
        }
        output.writeLine("written  \(path)")
    }
}
