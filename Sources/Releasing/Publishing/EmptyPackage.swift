import Files
import LaneModel
import LaneRun
import Processes

/// A package of plugins and macros, which are used from their sources: its releases have no files.
enum EmptyPackage {
    /// Whether the package at a tag has nothing to pack; false where nobody can tell.
    static func isTagged(_ tag: PublishedTag, in context: StepContext, _ git: Git) -> Bool {
        guard fileExists("\(context.directory)/Package.swift"), let tagged = try? commit(tag.object, git),
            let head = try? git.head(), tagged == head,
            let package = try? PackageDescription.read(StepTools(context: context), in: context.directory)
        else { return false }
        return package.products.isEmpty
    }

    private static func commit(_ object: String, _ git: Git) throws(StepFailure) -> String? {
        try git.attempt(["rev-parse", "--verify", "--quiet", "\(object)^{commit}"]).text.lines.first
    }
}
