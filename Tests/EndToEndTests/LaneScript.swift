import OperatingSystem
import TestSupport

/// Runs a shell script that finds `lane` as `$0`, in a package with these lanes.
///
/// The script can use these functions:
/// - `hang` starts the lane `hang` in the background as `$lane`, and returns when it has created the file `ready`.
/// - `state` prints the state letter of a process.
/// - `alive` prints the processes in the file `pids` that still run.
/// - `children` prints the children of a process.
/// - `guard` prints the process that watches `$lane`, which exists before the first child.
func runScript(
    _ text: String, lanes: [String: String], environment: [String: String] = [:], in given: MiniPackage? = nil,
    limit: Duration = .seconds(60)
) async throws -> (CapturedRun, MiniPackage) {
    let package = try given ?? MiniPackage()
    for (name, lane) in lanes { try package.directory.write(lane, to: "Lanes/\(name).yml") }
    // Removes the mark of the `ChildRunner` of these tests, so that `lane` runs as on a command line.
    let functions = """
        unset LANE_CHILD
        hang() {
            "$0" hang "$@" >out 2>&1 & lane=$!
            while [ ! -e ready ]; do sleep 0.02; kill -0 $lane || { cat out; exit 99; }; done
        }
        state() {
            if [ -d /proc/self ]; then sed 's/.*) \\(.\\).*/\\1/' /proc/$1/stat 2> /dev/null; else ps -o stat= -p $1; fi
        }
        alive() {
            for pid in $(cat pids); do
                case $(state $pid) in "" | Z*) ;; *) echo "$pid $(tr '\\0' ' ' < /proc/$pid/cmdline)" ;; esac
            done
        }
        children() { cat /proc/$1/task/*/children; }
        guard() {
            for child in $(children $lane); do
                ! grep -q lane-guard /proc/$child/comm || echo $child
            done
        }

        """
    let run = try await capture(
        Command(
            "bash", ["-c", functions + text, BuiltTool.lane.path],
            environment: plainEnvironment().merging(environment) { $1 }, directory: package.path),
        limits: RunLimits(timeout: limit))
    return (run, package)
}

/// Returns the output and the errors of a run that builds or tests a package, without parts that differ from run to run.
///
/// Progress lines appear only on a slow machine, and a test without a measurable time is shown without one.
func screen(_ run: CapturedRun, in package: MiniPackage) -> String {
    let lines = (run.text + run.errorText).split(separator: "\n", omittingEmptySubsequences: false)
    let text = lines.filter { !$0.hasPrefix("… ") && !$0.hasPrefix("▲ ") }.joined(separator: "\n")
    return redacted(text, replacing: [package.path: "<package>"]).replacing(" failed after <time>", with: " failed")
}

/// Operations that may fail without privileges or in a container.
enum Privilege {
    /// A Boolean value that indicates whether a file system can be mounted for one command only.
    static let mounts = succeeds(["unshare", "-m", "sh", "-c", "mount -t tmpfs -o size=64k none /mnt"])
    /// A Boolean value that indicates whether a PID namespace can be created.
    static let processNamespaces = succeeds(["unshare", "-pf", "--mount-proc", "true"])

    /// A Boolean value that indicates whether files can be made immutable.
    static let attributes = succeeds([
        "sh", "-c", "f=$(mktemp) && chattr +i $f && ! rm -f $f 2> /dev/null && chattr -i $f && rm $f",
    ])

    private static func succeeds(_ words: [String]) -> Bool {
        let command = Command(words[0], Array(words.dropFirst()), environment: plainEnvironment())
        return (try? ChildRunner().capture(command).report.succeeded) ?? false
    }
}
