import YAML

/// The cache of `lane`, which all jobs and packages share, independent of their changes.
extension GitHubSteps {
    var restoreTool: YAMLNode? { tool.map { step(.cacheRestore, id: "lane", $0) } }

    /// The step that saves the cache, directly after the build, so that failing lanes do not prevent it. The branch of
    /// a merge queue is temporary, so nothing is saved there.
    var saveTool: YAMLNode? {
        let condition = "github.event_name != 'merge_group' && steps.lane.outputs.cache-hit != 'true'"
        return tool.map { step(.cacheSave, condition: "${{ \(condition) }}", $0) }
    }

    /// The paths in the cache of the job.
    var products: String {
        let folder = plan.location.path(".build")
        guard plan.tool != nil, plan.location.folder.isEmpty else { return folder }
        // Exclusions work only for paths that a pattern includes.
        return "\(folder)/*\n!\(CITool.folder)\n"
    }

    private var tool: [(String, YAMLNode)]? {
        plan.toolCache.map {
            let system = plan.image(for: job) ?? "macos"
            return [
                ("path", .text(CITool.folder)),
                ("key", .text("\($0)-${{ runner.arch }}-\(system)")),
            ]
        }
    }
}
