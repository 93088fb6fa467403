import LaneModel
import YAML

/// The steps that transfer parts of a release between its jobs. The digests are outputs of the jobs, because a job could
/// replace the files of another one, but not its outputs.
extension GitHubSteps {
    var stepsBeforeParts: [YAMLNode] {
        if case .publish = job.releaseStage { [download, list, forget] } else { [] }
    }

    var stepsAfterParts: [YAMLNode] {
        switch job.releaseStage {
        case .part(let awaitsApproval): [sums, upload(awaitsApproval)]
        case .publish(let isCertain): [attest(isCertain), publish(isCertain)].compactMap(\.self)
        case nil: []
        }
    }

    // MARK: Packaging

    private var sums: YAMLNode {
        let program = job.system.isLinux ? "sha256sum" : "shasum -a 256"
        return [
            "name": "Keep the digests", "id": "sums",
            "run": """
            cd dist
            sums=$(\(program) *.manifest.json)
            printf 'sums<<END\\n%s\\nEND\\n' "$sums" | sed 's|  |  \(artifact(job.name))/|' >> "$GITHUB_OUTPUT"

            """,
        ]
    }

    private func upload(_ awaitsApproval: Bool) -> YAMLNode {
        step(
            .uploadArtifact,
            [
                "name": .text(artifact(job.name)), "path": "\(plan.location.path("dist"))/",
                "if-no-files-found": "error",
                "compression-level": 0, "retention-days": .integer(awaitsApproval ? Self.approvalDays : 1),
            ])
    }

    /// The number of days that GitHub waits for an approval of an environment.
    private static let approvalDays = 30

    /// The name of the artifact of a job, which is also its directory among all parts.
    private func artifact(_ job: String) -> String { "\(plan.location.name(job)).part" }

    // MARK: Publishing

    private var download: YAMLNode {
        step(.downloadArtifact, ["pattern": "*.part", "path": .text(plan.location.path(CIJob.partsDirectory))])
    }

    /// The step that writes the digests of all parts.
    private var list: YAMLNode {
        let parts = job.needs.dropFirst()
        let names = parts.indices.map { "SUMS_\($0)" }
        let values = zip(names, parts).map { (name: $0, value: YAMLNode.text("${{ needs.\($1).outputs.sums }}")) }
        let words = names.map { "\"$\($0)\"" }.joined(separator: " ")
        return [
            "name": "Write the digests of all parts", "env": .map(values),
            "run": "printf '%s\\n' \(words) > \(CIJob.partsDirectory)/\(ReleaseNames.partsList)",
        ]
    }

    /// The step that removes the tag that an earlier attempt of this job has pushed. The lane creates the same tag again,
    /// because the commit and the tag have the time of the first attempt.
    private var forget: YAMLNode {
        named(
            (
                "Forget the tag of an earlier attempt",
                """
                sed -n 's/^  "commit": "\\(.*\\)",$/\\1/p' \(CIJob.partsDirectory)/*/*.manifest.json | sort -u |
                  while read -r commit; do
                    ! git cat-file -e "$commit" 2>/dev/null || git tag --points-at "$commit" | xargs -r git tag --delete
                  done

                """
            ))
    }

    /// The step that attests the verified files before anything is published. GitHub offers it for public repositories.
    private func attest(_ isCertain: Bool) -> YAMLNode {
        let files = plan.location.path("dist")
        return step(
            .attestation, condition: "${{ !github.event.repository.private\(isCertain ? "" : " && \(isPublished)") }}",
            [
                "subject-path": "\(files)/*\n!\(files)/.gitignore\n!\(files)/*.manifest.json\n"
            ])
    }

    /// The step that publishes the release that the lane has made.
    private func publish(_ isCertain: Bool) -> YAMLNode? {
        guard let call = job.calls.first else { return nil }
        let command = (call.lane.name, shell.publication(of: call), call.secrets)
        return run(command, condition: isCertain ? nil : "${{ \(isPublished) }}")
    }

    private var isPublished: String {
        job.releasesProposals ? "(\(plan.value(of: ReleaseNames.publish)))" : "inputs.\(ReleaseNames.publish)"
    }
}
