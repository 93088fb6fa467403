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
        let directory = plan.location.path(".build")
        guard plan.tool != nil, plan.location.directory.isEmpty else { return directory }
        // Exclusions work only for paths that a pattern includes.
        return "\(directory)/*\n!\(CITool.directory)\n"
    }

    private var tool: [(String, YAMLNode)]? {
        plan.toolCache.map {
            let system = plan.image(for: job) ?? "macos"
            return [
                ("path", .text(CITool.directory)),
                ("key", .text("\($0)-${{ runner.arch }}-\(system)")),
            ]
        }
    }
}
