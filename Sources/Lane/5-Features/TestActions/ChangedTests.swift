import ChangeImpact
import Git
package import LaneModel
package import OperatingSystem
import SwiftPackages
package import TestEngine
import Text

/// The settings `changed` and `changed-base` of a `test` step: a selection of the tests that are affected by the files
/// changed since a commit.
package struct ChangedTests {
    private let git: Git
    private let directory: String
    private let environment: [String: String]
    private let processes: any ProcessRunner

    /// - Parameter directory: The directory of the package.
    package init(directory: String, environment: [String: String], processes: any ProcessRunner) {
        git = Git(in: directory, environment: environment, processes: processes)
        self.directory = directory
        self.environment = environment
        self.processes = processes
    }

    /// A decision, with a description of the base commit.
    package struct Selection: Sendable {
        let decision: ImpactDecision
        let base: String

        /// The decision as one line of text.
        var summary: String { decision.summary(since: base) }

        /// The lines with the decision and the reasons for all choices.
        package var lines: [String] { [summary] + decision.explanation }
    }

    /// Returns the tests that the changes affect. Returns all tests with a reason if these cannot be determined.
    ///
    /// - Parameter options: The options of the tests. Its modules are set unless all tests run.
    package func select(_ settings: Settings, _ options: inout TestOptions) throws(OperationFailure) -> Selection? {
        let given = settings.string("changed-base")
        guard settings.bool("changed") ?? (given != nil) else { return nil }
        let selection = try selection(given, options)
        options.choice.modules = selection.decision.modules
        return selection
    }

    private func selection(_ given: String?, _ options: TestOptions) throws(OperationFailure) -> Selection {
        let base: (commit: String, name: String)
        do throws(Undecided) {
            base = try ChangeBaseCommit(git: git, environment: environment).find(given)
        } catch {
            if let failure = error.failure { throw failure }
            return Selection(decision: .all(because: error.reason), base: "")
        }
        do throws(Undecided) {
            let files = try changedFiles(since: base.commit)
            if files.paths.isEmpty, CIService.isActive(in: environment) {
                throw Undecided("HEAD is part of '\(base.name)'")
            }
            return Selection(
                decision: try impact(options, below: files.prefix).decision(for: files.paths),
                base: "\(base.commit.prefix(9)) of '\(base.name)'")
        } catch {
            return Selection(decision: .all(because: error.reason), base: "")
        }
    }

    /// Returns the changed files relative to the root of the repository, and the package's directory in the repository.
    private func changedFiles(since commit: String) throws(Undecided) -> (paths: [String], prefix: String) {
        let repository = try orUndecided { () throws(OperationFailure) in try Repository.find(git) }
        let top = git.inside(repository.topLevel)
        let (differing, untracked, index) = try orUndecided { () throws(OperationFailure) in
            (
                try top.run([
                    "diff", "--name-only", "--no-renames", "--no-ext-diff", "--ignore-submodules=none", "-z", commit,
                    "--",
                ]).standardOutput,
                try top.run(["ls-files", "--others", "--exclude-standard", "-z"]).standardOutput,
                try top.run(["ls-files", "--stage", "-z"]).standardOutput
            )
        }
        var paths = Set(Self.names(differing) + Self.names(untracked))
        for entry in Self.names(index) {
            let parts = entry.split(separator: "\t", maxSplits: 1)
            guard parts.count == 2, let mode = parts[0].split(separator: " ").first else { continue }
            let path = String(parts[1])
            if mode == "160000", paths.contains(path) { throw Undecided("the submodule '\(path)' changed") }
            guard mode == "120000", let target = resolvedPath("\(repository.topLevel)/\(path)") else { continue }
            // The target of a changed link counts as changed.
            let real = relativePath(target, to: resolvedPath(repository.topLevel) ?? repository.topLevel)
            if paths.contains(where: { $0 == real || $0.hasPrefix("\(real)/") }) { paths.insert(path) }
        }
        paths = paths.filter { !$0.pathComponents.contains(".build") }
        return (paths.sorted(), repository.prefix.hasSuffix("/") ? String(repository.prefix.dropLast()) : "")
    }

    private static func names(_ output: [UInt8]) -> [String] {
        output.split(separator: 0).map { String(pathBytes: $0) }
    }

    /// Reads the graph of targets and the sources.
    private func impact(_ options: TestOptions, below prefix: String) throws(Undecided) -> ChangeImpact {
        // The output of SwiftPM is not shown.
        let tools = ToolRunner(directory: directory, environment: environment, processes: processes)
        let arguments = options.build.arguments
        let scratch = arguments.firstIndex(of: "--scratch-path").map { Array(arguments[$0...].prefix(2)) } ?? []
        guard let package = try? PackageDescription.read(tools, in: directory, options: scratch) else {
            throw Undecided("'swift package' could not describe the package")
        }
        guard let graph = PackageGraph(package, directory: prefix),
            let text = try? readFile("\(directory)/Package.swift")
        else { throw Undecided("'swift package describe' describes the package in an unknown form") }
        var sources: [String: [SourceText]] = [:]
        for target in graph.targets where target.isSwift {
            sources[target.name] = target.sources.compactMap { path in
                let own = prefix.isEmpty ? path : String(path.dropFirst(prefix.count + 1))
                return (try? readFile("\(directory)/\(own)")).map { SourceText(path: path, text: $0) }
            }
        }
        let repository = prefix.isEmpty ? directory : String(directory.dropLast(prefix.count + 1))
        return ChangeImpact(
            graph: graph, sources: sources, manifest: text,
            ciRun: CIRun(environment: environment, repository: repository))
    }
}

/// An error that indicates that the affected tests cannot be determined.
struct Undecided: Error {
    let reason: String
    /// The failure of the step, if the user must fix it.
    var failure: OperationFailure?

    init(_ reason: String, failure: OperationFailure? = nil) {
        self.reason = reason
        self.failure = failure
    }
}

/// Returns the result of calls of git. Converts a failure to `Undecided`.
func orUndecided<Result>(_ body: () throws(OperationFailure) -> Result) throws(Undecided) -> Result {
    do throws(OperationFailure) {
        return try body()
    } catch {
        throw Undecided(error.message.split(separator: "\n").first.map(String.init) ?? error.message)
    }
}
