import OperatingSystem

/// An isolation of processes from the network, except loopback, by Linux namespaces for users and networks.
///
/// `unshare` and `setpriv` belong to util-linux. Containers often forbid namespaces, so a trial determines whether they
/// are available.
struct NetworkIsolation {
    /// The prefix of a command line without a network, or `nil` if the system does not allow it.
    let wrapper: [String]?

    init(_ environment: [String: String], _ processes: any ProcessRunner) {
        let unshare = ["unshare", "--user", "--map-current-user", "--net"]
        // The loopback interface is initially down. The capability to enable it is then removed.
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
