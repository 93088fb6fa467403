import OperatingSystem
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Linters accept the workflows", .enabled(if: hasTool("actionlint"), "needs actionlint"))
    struct WorkflowLintTests {
        @Test(
            "Generated workflows", arguments: WorkflowPackage.allCases, [WorkflowPackage.release, PublishingTests.lane])
        func generated(_ kind: WorkflowPackage, _ release: String) async throws {
            let package = try await kind.make(release: release, image: "swift:6.3-bookworm")
            try await lint("\(package.path)/.github/workflows", count: 2 * kind.packages.count)
        }

        @Test("This repository's workflows")
        func own() async throws {
            try await lint("\(repositoryRoot)/.github/workflows", count: 2)
        }

        private func lint(_ directory: String, count: Int) async throws {
            let files = try listDirectory(directory).filter { $0.hasSuffix(".yml") }
            #expect(files.count == count, "\(files)")
            let run = try await capture(
                Command("actionlint", ["-no-color"] + files, environment: plainEnvironment(), directory: directory))
            #expect(run.report.status == 0, "\(run.text)\(run.errorText)")
        }
    }
}

/// The packages whose workflows are linted and executed.
enum WorkflowPackage: String, CaseIterable {
    case library, executable, plugin, cDependency, monorepo

    /// The directories of the packages, relative to the repository's root.
    var packages: [String] { self == .monorepo ? ["apps/one", "libs/two"] : [""] }

    func make() async throws -> MiniPackage {
        switch self {
        case .library: return try await FreshPackage.library.make()
        case .executable: return try await FreshPackage.executable.make()
        case .plugin: return try await FreshPackage.plugin.make()
        case .cDependency:
            let package = try await FreshPackage.library.make()
            try package.directory.write(
                try package.directory.read("Package.swift").replacing(
                    "targets: [.target(name: \"Mini\")",
                    with: """
                        targets: [
                                .systemLibrary(name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
                                .target(name: "Mini", dependencies: ["CJansson"])
                        """), to: "Package.swift")
            try package.directory.write(
                "module CJansson [system] {\n  header \"shim.h\"\n  link \"jansson\"\n  export *\n}\n",
                to: "Sources/CJansson/module.modulemap")
            try package.directory.write("#include <jansson.h>\n", to: "Sources/CJansson/shim.h")
            try package.directory.write(
                "import CJansson\npublic let greeting = JANSSON_MAJOR_VERSION > 0 && json_null() != nil ? \"hello\" : \"\"\n",
                to: "Sources/Mini/Mini.swift")
            return package
        case .monorepo:
            let package = try await FreshPackage.library.make()
            for name in try listDirectory(package.path) where name != ".git" {
                for directory in packages {
                    try makeDirectories("\(package.path)/\(directory)")
                    _ = try await capture(
                        Command(
                            "cp", ["-R", "\(package.path)/\(name)", "\(package.path)/\(directory)/"],
                            environment: plainEnvironment()))
                }
                try removeTree("\(package.path)/\(name)")
            }
            return package
        }
    }

    /// The settings of its `Lanes/ci/jobs.yml` in addition to those of all packages.
    var settings: String {
        self == .cDependency
            ? "setup: [apt-get -qq update && apt-get -qq install --no-install-recommends libjansson-dev]\n" : ""
    }

    /// Creates a package with a release lane and workflows whose jobs use the `lane` of the image.
    func make(release: String = Self.release, image: String) async throws -> MiniPackage {
        let package = try await make()
        let settings = """
            lane: { repository: "file:///opt/lane.git", version: 0.1.0 }
            image: \(image)

            """
        for directory in packages {
            let root = directory.isEmpty ? "" : directory + "/"
            try package.directory.write(settings + self.settings, to: "\(root)Lanes/ci/jobs.yml")
            let made = try await BuiltTool.lane.run(["init"], in: "\(package.path)/\(root)")
            try #require(made.report.succeeded, "\(made.errorText)")
            try package.directory.write(release, to: "\(root)Lanes/release.yml")
            let generated = try await BuiltTool.lane.run(["ci", "generate"], in: "\(package.path)/\(root)")
            try #require(generated.report.succeeded, "\(generated.errorText)")
        }
        return package
    }

    /// A release lane without `publish`, so that its job pushes the release.
    static let release = """
        parameters:
          version: { type: version, position: 1 }
        transaction: true
        steps:
          - require: { clean: true, version: "${{ parameters.version }}" }
          - bump: { version: "${{ parameters.version }}" }
          - changelog: {}
          - commit: {}
          - test: {}
          - package: {}
          - tag: {}

        """
}
