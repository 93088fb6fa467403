import YAML

/// `lane` has a cache of its own: all jobs and packages share it, and it outlives any change of theirs.
extension GitHubSteps {
    var restoreTool: YAMLNode? { tool.map { step(.cacheRestore, id: "lane", $0) } }

    /// Comes right after the build, so that failing lanes lose nothing; a merge queue's branch is gone afterwards.
    var saveTool: YAMLNode? {
        let condition = "github.event_name != 'merge_group' && steps.lane.outputs.cache-hit != 'true'"
        return tool.map { step(.cacheSave, condition: "${{ \(condition) }}", $0) }
    }

    /// What the job's own cache keeps.
    var products: String {
        let folder = plan.location.path(".build")
        guard plan.tool != nil, plan.location.folder.isEmpty else { return folder }
        // A pattern takes things out only of what is a pattern, too.
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
