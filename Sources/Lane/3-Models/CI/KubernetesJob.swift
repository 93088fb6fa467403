import LaneModel
import Text
import YAML

extension CIFormat {
    static let kubernetes = CIFormat(name: "kubernetes", problems: KubernetesJob.problems) { plan, _, _ in
        plan.jobs.filter { $0.stage == .run }.map { KubernetesJob(plan: plan, job: $0).file }
    }
}

/// A Job for Kubernetes that runs the tests of a job with shards, one in each pod.
///
/// The pods download the sources and the packed tests from a store, a directory on an HTTP server with GET and PUT, and
/// upload their events to it. The machine that starts the Job packs the tests before and merges the events afterwards.
struct KubernetesJob {
    let plan: CIPlan
    /// A job of the stage `run`.
    let job: CIJob

    private static let workingDirectory = "/lane"
    private static let defaultRun = "latest"
    /// The name of the Secret with values for the pods.
    private static let secret = "lane"

    static func problems(in plan: CIPlan) -> [CIPlanProblem] {
        guard let store = plan.store, ["http://", "https://"].contains(where: store.hasPrefix) else {
            return [
                CIPlanProblem("store", "kubernetes needs the address of a store", hint: "add 'store: https://…'")
            ]
        }
        guard !plan.jobs.contains(where: { $0.shards > 1 }) else { return [] }
        return [
            CIPlanProblem(
                "services", "kubernetes runs only jobs with shards, and there are none", hint: "add 'shards' to a job")
        ]
    }

    private var name: String { job.nameBeforeShards }

    var file: GeneratedFile {
        GeneratedFile(
            plan.location.path("ci/kubernetes-\(name).yml"),
            [
                "apiVersion": "batch/v1", "kind": "Job",
                "metadata": ["generateName": .text(label + "-"), "labels": ["app.kubernetes.io/managed-by": "lane"]],
                "spec": specification,
            ], for: plan.location)
    }

    /// The name of the job as a DNS label.
    private var label: String {
        String(plan.location.name(name).lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
    }

    private var specification: YAMLNode {
        [
            "completionMode": "Indexed", "completions": .integer(job.shards), "parallelism": .integer(job.shards),
            // A pod succeeds if it has reported, so only lost pods are retried.
            "backoffLimit": .integer(job.shards),
            "activeDeadlineSeconds": .integer(job.minutes * 60), "ttlSecondsAfterFinished": .integer(24 * 60 * 60),
            "template": [
                "spec": [
                    "restartPolicy": "Never", "automountServiceAccountToken": false, "enableServiceLinks": false,
                    "containers": [container], "volumes": [["name": "work", "emptyDir": [:]]],
                ]
            ],
        ]
    }

    private var container: YAMLNode {
        let variables: [YAMLNode] = [
            ["name": "STORE", "value": .text(plan.store ?? "")], ["name": "RUN", "value": .text(Self.defaultRun)],
        ]
        let secrets: [YAMLNode] = (["AUTHORIZATION"] + job.calls.flatMap(\.secrets).uniqued()).map { name in
            let key: YAMLNode = ["name": .text(Self.secret), "key": .text(name), "optional": true]
            return ["name": .text(name), "valueFrom": ["secretKeyRef": key]]
        }
        return [
            "name": "shard", "image": plan.image(for: job).map { .text($0) },
            "workingDir": .text(Self.workingDirectory), "command": ["/bin/sh", "-euc", .text(script)],
            "env": .list(variables + secrets),
            "volumeMounts": [["name": "work", "mountPath": .text(Self.workingDirectory)]],
        ]
    }

    private var script: String {
        let events = "\"\(CIShell.reports)/shard-$SHARD.jsonl\""
        var lines = [
            CITool.curl,
            "request() { curl -fsSL --retry 3 ${AUTHORIZATION:+-H \"Authorization: $AUTHORIZATION\"} \"$@\"; }",
            "request -o /tmp/source.tar.gz \"$STORE/$RUN/source.tar.gz\"",
            "tar -xzf /tmp/source.tar.gz",
        ]
        if let directory = plan.location.below { lines.append("cd \(ShellWords.quoted(directory))") }
        lines += [
            "mkdir -p \(ShardFiles.directory)",
            "request -o \(ShardFiles.archive) \"$STORE/$RUN/\(name).tar.gz\"",
        ]
        lines += plan.setup(for: job) + plan.toolSteps.map(\.text)
        lines.append("SHARD=$((JOB_COMPLETION_INDEX + 1))")
        lines += CIShell(plan: plan, job: job).commands.map { "\($0.text) || [ -s \(events) ]" }
        lines.append("request -T \(events) \"$STORE/$RUN/\(name)-$SHARD.jsonl\"")
        return lines.joined(separator: "\n") + "\n"
    }
}
