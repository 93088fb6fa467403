import LaneModel
import Text

/// The start of a manual release by a merged pull request. The branch of the pull request contains the version.
extension CIJob {
    /// A Boolean value that indicates whether a merged pull request with a release starts the job, too.
    var releasesProposals: Bool {
        isManual && calls.count == 1
            && calls.allSatisfy { call in
                call.lane.parameter("version")?.kind == .version && call.values["version"] == nil
                    && call.lane.parameter(ReleaseNames.pullRequest)?.kind == .bool
                    && (call.values[ReleaseNames.publish] != "false" || releaseStage != nil)
                    && !call.openParameters.contains { $0.name != "version" && $0.mustBeGiven }
            }
    }
}

extension CIPlan {
    /// The start of the branches with proposed releases.
    var proposalBranch: String { ReleaseNames.branch(below: location.path("")) }

    /// The condition of a job that `releasesProposals`: it was started by hand, or by a pull request that `lane` made.
    var proposalCondition: String {
        let start = proposalBranch.replacing("'", with: "''")
        return "github.event_name != 'pull_request' || (github.event.pull_request.merged"
            + " && github.event.pull_request.head.repo.full_name == github.repository"
            + " && contains(github.event.pull_request.body, '\(ReleaseNames.mark)')"
            + " && startsWith(github.head_ref, '\(start)'))"
    }

    /// Returns the expression for the value of an input in a job that `releasesProposals`.
    func value(of input: String) -> String {
        switch input {
        case "version": "inputs.version || github.head_ref"
        case ReleaseNames.publish: "inputs.\(input) || github.event_name == 'pull_request'"
        default: "inputs.\(input)"
        }
    }
}
