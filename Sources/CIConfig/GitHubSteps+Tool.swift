import YAML

/// `lane` has a cache of its own: all jobs share it, and it outlives any change of the package.
extension GitHubSteps {
    var restoreTool: YAMLNode? { tool.map { step(.cacheRestore, id: "lane", $0) } }

    /// Right after it was built, whatever becomes of the lanes.
    var saveTool: YAMLNode? {
        tool.map {
            step(
                .cacheSave,
                condition: "${{ github.event_name == 'push' && steps.lane.outputs.cache-hit != 'true' }}", $0)
        }
    }

    /// What the job's own cache keeps.
    var products: String {
        let folder = plan.location.path(".build")
        // A pattern takes things out only of what is a pattern, too.
        return plan.tool == nil ? folder : "\(folder)/*\n!\(plan.location.path(CITool.folder))\n"
    }

    private var tool: [(String, YAMLNode)]? {
        plan.toolCache.map {
            let system = plan.image(for: job) ?? "macos"
            return [
                ("path", .text(plan.location.path(CITool.folder))),
                ("key", .text("\($0)-${{ runner.arch }}-\(system)")),
            ]
        }
    }
}
