import Actions
import Git
import LaneModel
import OperatingSystem
import Packaging
import Text

/// The requests of `publish` for a new release, in order, if each succeeds. The files are those of the last version.
struct PlannedRequests {
    let all: [String]

    /// - Parameter version: The version of the tag, if it is known.
    init(_ settings: Settings, _ context: StepContext, tag: String, version: String?) throws(OperationFailure) {
        let git = Git(context)
        let remote = settings.string("remote") ?? PublishTarget.defaultRemote
        let (repository, base) = try PublishTarget.find(settings, context.environment, remote, git)
        var all: [String] = []
        if settings.bool("push") == true {
            let branch = try git.attempt(["symbolic-ref", "--quiet", "HEAD"]).text.lines.first
            let references = [branch, "refs/tags/\(tag)"].compactMap(\.self)
            all.append(ShellWords.line(["git", "push", "--atomic", remote] + references))
        }
        let files = settings.strings("files")?.map(lastPathComponent) ?? Self.files(of: version, in: context)
        all += GitHubReleases.requests(
            of: repository, at: base, tag: tag, files: files, staysDraft: settings.bool("draft") ?? false)
        self.all = all
    }

    /// Returns the names of the last files with the new version, or `FILE` if there are none.
    private static func files(of version: String?, in context: StepContext) -> [String] {
        guard let last = ReleaseManifest.last(in: "\(context.root)/dist"), let version else { return ["FILE"] }
        return last.files.map { $0.name.replacing(last.version.description, with: version) }
    }
}
