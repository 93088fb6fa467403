import APIComparison
package import Actions
import Events
package import Expressions
import Git
package import LaneModel
package import OperatingSystem
import SwiftPackages
import Text
import Versioning

/// The `api` action: finds the breaks of the public API since a release, and proves each with a program that compiles
/// with the old version only.
package struct APIAction: BuiltInStepAction {
    package static let schema = ActionSchema(
        "api", "Find what breaks clients of the public API, and prove it with programs", shorthand: "base",
        settings: [
            SettingSchema("base", .string, "The tag, version or commit to compare with; the last release by default"),
            SettingSchema(
                "allow",
                .list(
                    .object([
                        SettingSchema(
                            "declaration", .string, "The declaration as in the report: 'Box.label(of:)'",
                            isRequired: true),
                        SettingSchema("reason", .string, "The reason, which every run prints", isRequired: true),
                    ])), "The intended breaks; an entry that matches none is an error"),
            SettingSchema(
                "version", .version,
                "The version to release: 'auto' becomes a breaking version if necessary, another version must permit the breaks; without it, a break is an error"
            ),
            SettingSchema("report", .path, "Write the report to this file as JSON"),
            .buildArguments,
        ],
        outputs: [
            ActionOutput("breaks", .integer, "The number of breaks that are proven and not allowed"),
            ActionOutput("warnings", .integer, "The number of changes that may break clients"),
            ActionOutput("base", .string, "The tag or commit of the old version"),
        ],
        isCheck: true,
        example: """
            - api: {}
            - api: 1.2.0
            - api:
                version: ${{ parameters.version }}
                report: build/api.json
                allow:
                  - { declaration: Shape.init(sides:), reason: "it crashed for every value, #31" }
                arguments: [-Xcc, -I/opt/shape/include]
            """)

    package init() {}

    package func summary(of settings: Settings) -> String {
        "compare the public API with \(base(settings) ?? "the last release")"
    }

    package func forecast(
        of settings: Settings, in context: StepContext, after earlier: [String: Value]
    ) -> StepForecast {
        let isComputed = ["", "auto"].contains(settings.string("version"))
        return StepForecast(
            summary(of: settings) + (isComputed ? "; a break makes a higher version than this plan shows" : ""))
    }

    package func run(_ settings: Settings, in context: StepContext) throws(OperationFailure) -> StepResult {
        let history = try ReleaseHistory.read(context)
        let git = Git(context)
        let named = base(settings)
        guard let base = if let named { named } else { try lastRelease(history) } else {
            return StepResult(skipReason: "there is no release to compare with")
        }
        let commit = try commit(of: base, history, git)
        let report = APIReport(
            since: base, try findings(since: commit, history, settings, in: context), allowing: allowances(settings))
        context.releases.setBreaks(
            report.breaks.count,
            report: ([report.summary] + report.diagnostics.map(\.message)).joined(separator: "\n\n"))
        let requests = settings.string("version") != nil
        for diagnostic in report.diagnostics {
            // A version that permits the breaks makes them notable only.
            let severity = requests ? .warning : diagnostic.severity
            context.send(.buildDiagnostic(BuildDiagnostic(severity, diagnostic.message, at: diagnostic.location)))
        }
        for (finding, reason) in report.allowed {
            context.report(.note, "allowed: '\(finding.change.name)': \(reason)")
        }
        if let path = settings.string("report"), !path.isEmpty {
            let path = absolutePath(path, from: context.directory)
            try convertingFileErrors { () throws(FileError) in
                try makeDirectories(parentDirectory(path))
                try writeFile(report.json, to: path)
            }
        }
        try judge(report, settings, in: context)
        context.report(.note, report.summary)
        return StepResult(outputs: [
            "breaks": .integer(report.breaks.count), "warnings": .integer(report.warnings.count),
            "base": .string(base),
        ])
    }

    /// Throws an error if the step fails.
    private func judge(_ report: APIReport, _ settings: Settings, in context: StepContext) throws(OperationFailure) {
        guard report.unused.isEmpty else {
            throw .refused(
                report.unused.map {
                    "'allow' names '\($0.declaration)', which is no break since \(report.base)\nhint: remove the entry"
                })
        }
        if let check = try VersionCheck(of: settings, in: context) {
            guard check.problems.isEmpty else { throw .refused(check.problems) }
        } else if !report.breaks.isEmpty {
            throw OperationFailure(report.summary)
        }
    }

    private func base(_ settings: Settings) -> String? {
        settings.string("base").flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns the tag of the last release, or `nil` before the first one.
    private func lastRelease(_ history: ReleaseHistory) throws(OperationFailure) -> String? {
        if let problem = history.tags.problem { throw .refused([problem]) }
        let last = history.tags.lastFinal ?? history.tags.last
        if last == nil, history.repository.isShallow {
            throw .refused(["the clone is shallow, so the last release is unknown\nhint: git fetch --unshallow --tags"])
        }
        return last?.name
    }

    /// Returns the commit of a tag, a version or another name.
    private func commit(of base: String, _ history: ReleaseHistory, _ git: Git) throws(OperationFailure) -> String {
        for name in ["refs/tags/\(base)", "refs/tags/\(history.tags.prefix)\(base)", base] {
            let run = try git.attempt(["rev-parse", "--verify", "--quiet", "--end-of-options", "\(name)^{commit}"])
            if run.report.succeeded, let commit = run.text.lines.first { return commit }
        }
        throw .refused(["there is no tag or commit '\(base)'\nhint: git fetch --tags"])
    }

    private func allowances(_ settings: Settings) -> [APIReport.Allowance] {
        guard case .list(let entries)? = settings["allow"] else { return [] }
        return entries.compactMap { entry in
            guard let name = entry["declaration"]?.text, let reason = entry["reason"]?.text else { return nil }
            return APIReport.Allowance(declaration: name, reason: reason)
        }
    }

    // MARK: Builds

    private func findings(
        since commit: String, _ history: ReleaseHistory, _ settings: Settings, in context: StepContext
    ) throws(OperationFailure) -> [APIReport.Finding] {
        let tools = ToolRunner(context: context)
        let toolchain = try Toolchain.find(tools)
        let arguments = settings.strings("arguments") ?? []
        let checkouts = "\(context.root)/.lane/api"
        let checkout = "\(checkouts)/\(commit.prefix(12))"
        let directory = "\(checkout)/\(history.repository.prefix)"
        // Without a manifest, SwiftPM would build the package above.
        if !fileExists("\(directory)/Package.swift") { try checkOut(commit, to: checkout, Git(context)) }
        let old: BuiltVersion
        do {
            old = try BuiltVersion.build(
                in: directory, scratch: "\(checkout)/.build", arguments: arguments, toolchain,
                ToolRunner(context: context.withOwnScratch))
        } catch {
            guard error.cause == .failed else { throw error }
            throw OperationFailure(
                status: error.status, "the old version, \(commit.prefix(12)), does not build here: \(error.message)")
        }
        let new = try BuiltVersion.build(
            in: context.directory, scratch: absolutePath(context.scratch, from: context.directory),
            arguments: arguments, toolchain, tools)
        let compiler = WitnessCompiler(
            tools: tools, compiler: "\(toolchain.binaries)/swiftc", directory: "\(checkouts)/witnesses",
            old: old.flags, new: new.flags)
        return try compiler.judge(
            APIComparison(from: old.snapshot, to: new.snapshot).changes()
                + old.interface.changes(to: new.interface))
    }

    /// Checks out a commit for this run and later ones, which use its build. Removes the checkouts of other commits.
    private func checkOut(_ commit: String, to path: String, _ git: Git) throws(OperationFailure) {
        let parent = parentDirectory(path)
        let unfinished = "\(parent)/unfinished"
        try convertingFileErrors(of: removeTree(parent))
        let package = try git.checkOut(commit, to: unfinished)
        guard fileExists("\(package)/Package.swift") else {
            throw .refused(["the commit \(commit.prefix(12)) has no Package.swift in this directory"])
        }
        try convertingFileErrors(of: moveFile(unfinished, to: path))
    }
}
