import Processes

/// Puts processes where there is no network but their own loopback: a user and a network namespace of Linux.
///
/// `unshare` and `setpriv` belong to util-linux; containers often forbid the namespaces, which only trying tells.
struct NetworkFence {
    /// What stands before a command line to fence it in; `nil` where the system does not allow it.
    let wrapper: [String]?

    init(_ environment: [String: String], _ processes: any ProcessRunner) {
        let unshare = ["unshare", "--user", "--map-current-user", "--net"]
        // The loopback interface is down at first, and to raise it takes a capability that the tests must not keep.
        let withLoopback =
            unshare + [
                "--keep-caps", "sh", "-c",
                #"ip link set lo up && exec setpriv --inh-caps=-all --ambient-caps=-all -- "$@""#, "sh",
            ]
        wrapper = [withLoopback, unshare].first { words in
            let trial = Command(words[0], words.dropFirst() + ["true"], environment: environment)
            return (try? processes.capture(trial).report.succeeded) ?? false
        }
    }
}
