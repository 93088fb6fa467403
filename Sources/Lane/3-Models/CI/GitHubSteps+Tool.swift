import YAML

/// The steps for the cache of `lane`, which all jobs and packages share.
extension GitHubSteps {
    var restoreTool: YAMLNode? { tool.map { step(.cacheRestore, id: "lane", $0) } }

    /// The step that saves the cache directly after the build of `lane`, because a failing lane would end the job.
    /// Nothing is saved for the temporary branch of a merge queue.
    var saveTool: YAMLNode? {
        let condition = "github.event_name != 'merge_group' && steps.lane.outputs.cache-hit != 'true'"
        return tool.map { step(.cacheSave, condition: "${{ \(condition) }}", $0) }
    }

    /// The paths in the cache of the job.
    var products: String {
        let directory = plan.location.path(".build")
        guard plan.tool != nil, plan.location.directory.isEmpty else { return directory }
        // An exclusion applies only to paths that another pattern includes.
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
