import CI
import OperatingSystem
import SwiftPackages
import Text

/// The findings of `lane init` in a package. The package is not built for them.
struct PackageSurvey {
    /// The findings with their labels, in the order of the output.
    let findings: [(label: String, text: String)]
    /// A Boolean value that indicates whether a CI service has files in the repository.
    let hasCI: Bool
    /// The container image with the Swift toolchain.
    let image: String

    init(root: String, in world: World) {
        let ci = Self.existing(CIService.all.map(\.definition), below: root)
        hasCI = !ci.isEmpty
        image = SwiftImage.selected(in: RepositorySurroundings(of: root))
        let others = Self.existing(
            ["fastlane/Fastfile", "justfile", "Justfile", "Makefile", "Taskfile.yml"], below: root)
        let changelogs = Self.existing(["CHANGELOG.md", "CHANGES.md", "HISTORY.md"], below: root)
        let missing = Tool.all.filter { world.path(of: $0.name) == nil }.map(\.name)
        var findings = [("package", Self.package(root: root, in: world))]
        findings.append(("changelog", changelogs.first ?? "none; the first release writes CHANGELOG.md"))
        findings.append(("remote", Self.remote(root: root, in: world)))
        findings.append(("CI", ci.isEmpty ? "none; 'lane ci generate' writes it" : list(ci, joinedBy: "and")))
        if image != SwiftImage.standard { findings.append(("image", "\(image), by .swift-version")) }
        if !others.isEmpty { findings.append(("other", list(others, joinedBy: "and"))) }
        if !missing.isEmpty { findings.append(("missing", "\(list(missing, joinedBy: "and")); see 'lane doctor'")) }
        self.findings = findings
    }

    private static func existing(_ paths: [String], below root: String) -> [String] {
        paths.filter { fileKind("\(root)/\($0)") != nil }
    }

    private static func remote(root: String, in world: World) -> String {
        guard world.git(["rev-parse", "--git-dir"], in: root) != nil else {
            if world.path(of: "git") == nil { return "unknown: git is not installed" }
            if let problem = world.gitProblem(in: root) { return "unknown: \(problem)" }
            return "none: this is not a git repository, which releases need; run 'git init'"
        }
        return world.git(["config", "--get", "remote.origin.url"], in: root) ?? "none; releases stay in this repository"
    }

    /// Returns the name, the products and the tests in the manifest.
    private static func package(root: String, in world: World) -> String {
        guard fileExists("\(root)/Package.swift") else { return "none" }
        let tools = ToolRunner(directory: root, environment: world.environment, processes: world.processes)
        guard let manifest = try? PackageManifest.read(tools, in: root, timeout: .seconds(60)), let name = manifest.name
        else { return "Package.swift, which 'swift package dump-package' could not read" }
        func targets(_ kind: String) -> [String] { manifest.targets.filter { $0.kind == kind }.map(\.name) }
        // SwiftPM adds a product for each executable that no product contains.
        let listed = manifest.products.filter(\.isExecutable).flatMap(\.targets)
        let added = targets("executable").filter { !listed.contains($0) }.map { "executable \($0)" }
        let tests = targets("test")
        let parts =
            manifest.products.map { "\($0.kind) \($0.name)" } + added
            + [tests.isEmpty ? "no tests" : "tests in \(list(tests, joinedBy: "and"))"]
        return "\(name): \(parts.joined(separator: ", "))"
    }
}
