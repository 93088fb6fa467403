import Diagnostics
import LaneModel
import LaneRun
import Processes

/// What is to be published: found out and checked before anything is asked of the network.
struct ReleaseOrder: Sendable {
    let repository: String
    /// The address of the interface, without a slash at its end.
    let base: String
    let token: String
    let tokenName: String
    let remote: String
    /// What the tag stands for here: a tag of its own, or a commit.
    let tagObject: String
    let text: ReleaseText
    let files: [ReleaseFile]
    /// The references to push before; empty when nobody asked for it.
    let pushed: [String]
    let staysDraft: Bool
    let replaces: Bool

    var hasPushed: Bool { !pushed.isEmpty }

    /// Throws all that stands in the way, in one list.
    init(_ settings: Settings, _ context: StepContext) throws(StepFailure) {
        guard context.transaction == nil else {
            throw .refused(["nothing can be published before the transaction is real\nhint: put 'publish' into 'then'"])
        }
        let git = Git(context)
        var found = Problems()
        let remote = settings.string("remote") ?? "origin"
        self.remote = remote
        let tokenName = settings.string("token") ?? ActionSchema.publishToken
        self.tokenName = tokenName
        token = try found.value("") { () throws(StepFailure) in
            try Self.token(context.environment[tokenName], tokenName)
        }
        (repository, base) = try found.value(("", "")) { () throws(StepFailure) in
            try PublishTarget.find(settings, context.environment, remote, git)
        }
        let tag = try found.value(nil) { () throws(StepFailure) in try PublishedTag.find(settings, git) }
        tagObject = tag?.object ?? ""
        text = try tag?.text(settings, context) ?? ReleaseText()
        files = try found.value([]) { () throws(StepFailure) in
            guard let tag else { return [] }
            return try ReleaseFiles.find(settings, tag, in: context.directory) {
                EmptyPackage.isTagged(tag, in: context.without(tokenName), git)
            }
        }
        let branch = try git.attempt(["symbolic-ref", "--quiet", "HEAD"]).text.lines.first
        pushed = settings.bool("push") == true ? [branch, tag.map { "refs/tags/\($0.name)" }].compactMap { $0 } : []
        staysDraft = settings.bool("draft") ?? false
        replaces = settings.bool("replace") ?? false
        try found.throwIfAny()
    }

    private static func token(_ value: String?, _ name: String) throws(StepFailure) -> String {
        // Who pastes a token often pastes a line feed with it.
        let token = (value ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !token.isEmpty else { throw .refused(["publishing needs a token in \(name)"]) }
        guard token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .refused(["\(name) holds what is no token: it has blanks, line breaks or other characters in it"])
        }
        return token
    }
}

/// Faults of one kind, gathered to be told together.
private struct Problems {
    private var all: [String] = []

    /// What the body finds, or `fallback` when it refuses; other failures go on.
    mutating func value<Value>(
        _ fallback: Value, _ body: () throws(StepFailure) -> Value
    ) throws(StepFailure) -> Value {
        do throws(StepFailure) {
            return try body()
        } catch {
            guard [ExitStatus.refused.rawValue, ExitStatus.fileNotFound.rawValue].contains(error.status) else {
                throw error
            }
            all.append(error.message)
            return fallback
        }
    }

    func throwIfAny() throws(StepFailure) {
        if !all.isEmpty { throw .refused(all) }
    }
}
