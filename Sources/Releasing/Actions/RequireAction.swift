package import LaneModel
package import LaneRun

import Diagnostics
import Files
import Processes

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// `require`: checks what must hold before anything is changed, and tells all that does not in one list.
package struct RequireAction: StepAction {
    package init() {}

    package func summary(of settings: Settings) -> String {
        var words: [String] = []
        if settings.bool("clean") == true { words.append("a clean checkout") }
        if let branches = settings.strings("branch") { words.append("branch \(list(branches))") }
        if let version = settings.string("version") { words.append("that \(version) can be released") }
        let secrets = settings.strings("secrets") ?? []
        if !secrets.isEmpty { words.append("a value in \(list(secrets, joinedBy: "and"))") }
        let tools = toolNames(settings)
        if !tools.isEmpty { words.append(list(tools, joinedBy: "and")) }
        return "require " + (words.isEmpty ? "nothing" : list(words, joinedBy: "and"))
    }

    package func run(_ settings: Settings, in context: StepContext) throws(StepFailure) -> StepResult {
        var problems = try checkoutProblems(settings, context)
        problems += try versionProblems(settings, context)
        problems += try toolProblems(settings, context)
        for name in settings.strings("secrets") ?? [] where context.environment[name, default: ""].isEmpty {
            problems.append("\(name) has no value\nhint: set it in the environment")
        }
        guard problems.isEmpty else { throw .refused(problems) }
        return StepResult()
    }

    /// About the user's own checkout, also in a transaction.
    private func checkoutProblems(_ settings: Settings, _ context: StepContext) throws(StepFailure) -> [String] {
        let isRelease = settings.string("version") != nil || context.transaction != nil
        guard settings.bool("clean") == true || settings["branch"] != nil || isRelease else { return [] }
        let git = Git(context, in: context.root)
        let status = try GitStatus.read(git)
        let repository = try Repository.find(git)
        var problems: [String] = []
        if settings.bool("clean") == true, !status.changes.isEmpty {
            let shown = status.changes.prefix(5).joined(separator: ", ")
            let more = status.changes.count > 5 ? " and \(status.changes.count - 5) more" : ""
            problems.append("the checkout is not clean: \(shown)\(more)\nhint: commit, stash or ignore them")
        }
        for operation in repository.operationsInProgress { problems.append("\(operation) is under way") }
        if let branches = settings.strings("branch"), !branches.contains(status.branch ?? "") {
            let found = status.branch.map { "'\($0)'" } ?? "a detached HEAD"
            problems.append("expected branch \(list(branches.map { "'\($0)'" })), found \(found)")
        } else if isRelease, status.branch == nil {
            problems.append("HEAD is detached, so there is no branch to release\nhint: git switch main")
        }
        if isRelease, try !git.attempt(["var", "GIT_COMMITTER_IDENT"]).report.succeeded {
            problems.append(
                "git does not know who commits\nhint: git config user.name and user.email, or GIT_COMMITTER_NAME and _EMAIL"
            )
        }
        return problems
    }

    private func versionProblems(_ settings: Settings, _ context: StepContext) throws(StepFailure) -> [String] {
        guard let text = settings.string("version") else { return [] }
        guard let request = VersionRequest(text) else { return [VersionRequest.refusal(of: text)] }
        let facts = try VersionFacts.read(Git(context), root: context.directory)
        do throws(StepFailure) {
            return facts.problems(with: try facts.version(for: request))
        } catch {
            guard error.status == ExitStatus.refused.rawValue else { throw error }
            return facts.places.problems + [error.message]
        }
    }

    private func toolNames(_ settings: Settings) -> [String] {
        settings.strings("tools") ?? settings.map("tools")?.map(\.name) ?? []
    }

    private func toolProblems(_ settings: Settings, _ context: StepContext) throws(StepFailure) -> [String] {
        var problems: [String] = []
        let folders = (context.environment["PATH"] ?? "").split(separator: ":")
        for name in toolNames(settings) where !folders.contains(where: { access("\($0)/\(name)", X_OK) == 0 }) {
            problems.append("'\(name)' was not found (searched PATH: \(folders.joined(separator: ":")))")
        }
        for (name, value) in settings.map("tools") ?? [] {
            guard case .string(let wanted) = value, !problems.contains(where: { $0.hasPrefix("'\(name)'") }) else {
                continue
            }
            let command = Command(name, ["--version"], environment: context.environment, directory: context.directory)
            let run = try? context.processes.capture(command, limits: RunLimits(timeout: .seconds(30)))
            let said = run.flatMap { ($0.text + $0.errorText).lines.first } ?? ""
            guard let requirement = ToolRequirement(wanted) else {
                problems.append("'\(wanted)' is not a version for '\(name)': expected 6.2 or >= 6.2")
                continue
            }
            if !requirement.isMet(by: said) { problems.append("expected '\(name)' \(wanted), found '\(said)'") }
        }
        return problems
    }
}

/// A version that a tool must have: `6.3` for 6.3 and all its patches, `>= 6.2` for that or later.
struct ToolRequirement: Equatable {
    private let numbers: [Int]
    private let orLater: Bool

    init?(_ text: String) {
        orLater = text.hasPrefix(">=")
        let parts = text.drop { ">= ".contains($0) }.split(separator: ".", omittingEmptySubsequences: false)
        numbers = parts.compactMap { Int($0) }
        guard !parts.isEmpty, numbers.count == parts.count else { return nil }
    }

    /// `line` is what the tool prints about itself; the first number with a full stop in it counts.
    func isMet(by line: String) -> Bool {
        let words = line.split { !$0.isNumber && $0 != "." }
        guard let word = words.first(where: { $0.contains(".") && $0.first != "." }) else { return false }
        let found = word.split(separator: ".").compactMap { Int($0) }
        let known = Array(found.prefix(numbers.count))
        return orLater ? !found.lexicographicallyPrecedes(numbers) : known == numbers
    }
}
