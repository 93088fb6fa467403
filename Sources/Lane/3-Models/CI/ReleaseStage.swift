import LaneModel
import Text

/// The stages of a release that several machines build, each of which is a job.
enum ReleaseStage: Sendable, Equatable {
    /// Tests and packages on one machine, without a token. Someone may have to approve the last job, which needs the files.
    case part(awaitsApproval: Bool)
    /// Verifies the parts, tags the commit and publishes the release, and runs no code of the package. If it is not
    /// certain that the user publishes the release, an input decides.
    case publish(isCertain: Bool)
}

extension Lane {
    /// A Boolean value that indicates whether the lane can make a release of files that other machines packaged.
    var takesParts: Bool {
        parameter(ReleaseNames.parts)?.kind == .path && parameter(ReleaseNames.publish)?.kind == .bool
            && parameter("version")?.kind == .version
    }
}

extension CIJob {
    /// A Boolean value that indicates whether several machines build the release of the job.
    var hasParts: Bool {
        isManual && systems.count > 1 && calls.count == 1
            && calls.allSatisfy { $0.lane.takesParts && $0.values[ReleaseNames.publish] != "false" }
    }

    /// The jobs that test and package on one machine each. They have neither permissions nor secrets.
    var parts: [CIJob] {
        systems.map { system in
            var part = self
            part.name = "\(name)-\(system.rawValue)"
            part.title = "\(title) (\(system.title))"
            part.systems = [system]
            part.releaseStage = .part(awaitsApproval: environment != nil)
            (part.permissions, part.environment, part.artifacts, part.pushes) = ([], nil, [], false)
            part.calls = calls.map { call in
                var call = call
                call.values[ReleaseNames.publish] = "false"
                (call.secrets, call.runsTests) = ([], true)
                return call
            }
            return part
        }
    }

    /// The job that publishes the release.
    var publication: CIJob {
        var job = self
        job.needs = parts.map(\.name)
        job.systems = [.linux]
        job.releaseStage = .publish(isCertain: calls.allSatisfy { $0.values[ReleaseNames.publish] != nil })
        job.minutes = CIJob.publicationMinutes
        job.permissions += ["id-token", "attestations"].filter { name in !permissions.contains { $0.name == name } }
            .map { ($0, "write") }
        job.calls = calls.map { call in
            var call = call
            call.values[ReleaseNames.publish] = "false"
            call.values[ReleaseNames.parts] = CIJob.partsDirectory
            call.runsTests = false
            return call
        }
        return job
    }

    /// The directory of all parts in the job that publishes them, relative to the package's root.
    static let partsDirectory = ".lane/parts"
    /// The condition of steps in place of which the parts are used.
    static let hasNoParts = "parameters.\(ReleaseNames.parts) == ''"

    /// The time limit in minutes for building `lane`, verifying and publishing.
    private static let publicationMinutes = 45
}

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
