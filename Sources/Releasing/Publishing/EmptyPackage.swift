import Text
import Files
import LaneModel
import LaneRun
import Processes

/// A package of plugins and macros, which are used as sources, so that its releases have no files.
enum EmptyPackage {
    /// Returns a Boolean value that indicates whether the package at a tag has no products. Returns `false` if this is
    /// unknown.
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
