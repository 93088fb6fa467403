import Actions
import Git
import LaneModel
import OperatingSystem
import Packaging
import SwiftPackages
import Text
import Versioning

/// The parameters of a release, which are checked before the first request.
struct ReleaseOrder: Sendable {
    let repository: String
    /// The base URL of the API without a trailing slash.
    let base: String
    let token: String
    let tokenName: String
    let remote: String
    /// The hash of the tag object or of the commit in this repository.
    let tagObject: String
    let text: ReleaseText
    let files: [ReleaseFile]
    /// The references to push before the release, or an empty array.
    let pushed: [String]
    let staysDraft: Bool
    let replaces: Bool

    var hasPushed: Bool { !pushed.isEmpty }

    /// Creates the parameters. Throws all problems together.
    init(_ settings: Settings, _ context: StepContext) throws(OperationFailure) {
        guard context.transaction == nil else {
            throw .refused(["'publish' cannot run before the transaction is applied\nhint: move 'publish' to 'then'"])
        }
        let git = Git(context)
        var found = Problems()
        remote = settings.remote
        tokenName = settings.tokenName
        token = try found.value("") { () throws(OperationFailure) in try Self.token(settings, context) }
        (repository, base) = try found.value(("", "")) { () throws(OperationFailure) in
            try PublishTarget.find(settings, context.environment, git)
        }
        let tag = try found.value(nil) { () throws(OperationFailure) in
            try PublishedTag.find(settings, git, planned: WorkingVersion.planned(in: context)?.tag)
        }
        tagObject = tag?.object ?? ""
        text = try tag?.text(settings, context, page: PublishTarget.page(of: repository, at: base)) ?? ReleaseText()
        files = try found.value([]) { () throws(OperationFailure) in
            guard let tag else { return [] }
            return try ReleaseFiles.find(settings, tag, in: context.directory) {
                tag.hasNoProducts(in: context.without(settings.tokenName), git)
            }
        }
        let branch = try git.currentBranch()
        pushed = settings.bool("push") == true ? [branch, tag.map { "refs/tags/\($0.name)" }].compactMap { $0 } : []
        staysDraft = settings.bool("draft") ?? false
        replaces = settings.bool("replace") ?? false
        try found.throwIfAny()
    }

    static func token(_ settings: Settings, _ context: StepContext) throws(OperationFailure) -> String {
        let name = settings.tokenName
        // A pasted token may end with a line break.
        let token = (context.environment[name] ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !token.isEmpty else { throw .refused(["publishing needs a token in \(name)"]) }
        guard token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .refused(["\(name) does not contain a token, but whitespace or other invalid characters"])
        }
        return token
    }
}

/// A collector of problems, which are reported together.
private struct Problems {
    private var all: [String] = []

    /// Returns the value of `body`, or `fallback` if it throws a refusal. Other errors are rethrown.
    mutating func value<Value>(
        _ fallback: Value, _ body: () throws(OperationFailure) -> Value
    ) throws(OperationFailure) -> Value {
        do throws(OperationFailure) {
            return try body()
        } catch {
            guard [ExitStatus.refused.rawValue, ExitStatus.fileNotFound.rawValue].contains(error.status) else {
                throw error
            }
            all.append(error.message)
            return fallback
        }
    }

    func throwIfAny() throws(OperationFailure) {
        if !all.isEmpty { throw .refused(all) }
    }
}

extension PublishedTag {
    /// Returns a Boolean value that indicates whether the package at the tag has only plugins and macros. These are used
    /// as sources, so its releases have no files. Returns `false` if this is unknown.
    fileprivate func hasNoProducts(in context: StepContext, _ git: Git) -> Bool {
        guard fileExists("\(context.directory)/Package.swift"), (try? git.head()) == commit,
            let package = try? PackageDescription.read(ToolRunner(context: context), in: context.directory)
        else { return false }
        return package.products.isEmpty
    }
}
