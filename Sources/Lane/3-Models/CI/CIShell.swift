import Expressions
import LaneModel

/// The shell commands of a job's steps. User input is passed in environment variables and is never part of a command.
struct CIShell {
    /// The directory of test reports, relative to the package's root. It is not cached.
    static let reports = ".lane/reports"

    /// A step that selects the newest Xcode, because the Swift version of the default Xcode may be too old.
    static let xcode = (
        name: "Select the newest Xcode",
        text: """
        xcode=$(ls -d /Applications/Xcode_[0-9]*.app | grep -vi beta | sort -V | tail -n 1)
        sudo xcode-select --switch "$xcode"
        swift --version

        """
    )

    let plan: CIPlan
    let job: CIJob
    /// The pattern of the event files of all shards.
    var eventFiles = "\(ShardFiles.events)/*.jsonl"

    /// Returns the variable for the value of a parameter in a manual job.
    static func variable(_ parameter: Parameter) -> String {
        "LANE_PARAMETER_" + parameter.name.uppercased().map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
    }

    /// The commands of the lanes, each with the secrets that its lane declares.
    var commands: [(name: String, text: String, secrets: [String])] {
        job.calls.map { call in (call.lane.name, text(of: call), job.stage == .merge ? [] : call.secrets) }
    }

    private func text(of call: CICall) -> String {
        var fixed: [String] = [plan.command, call.lane.name]
        for parameter in call.lane.parameters {
            guard let value = call.values[parameter.name] else { continue }
            if let word = word(parameter, value) { fixed.append(ShellWords.quoted(word)) }
        }
        if let stage = job.stage {
            if stage == .merge { fixed = [plan.command, "merge"] }
            return (fixed + words(of: stage, call, events: eventFiles)).joined(separator: " ")
        }
        if call.runsTests { fixed += ["--junit", "\(Self.reports)/\(call.lane.name).xml"] }
        let line = fixed.joined(separator: " ")
        let open = job.isManual ? call.openParameters : []
        guard !open.isEmpty else { return line }
        return (["set --"] + open.map(taking) + [line + " \"$@\""]).joined(separator: "\n") + "\n"
    }

    /// Returns the command that publishes the release that the lane has made. The manifests contain its version.
    func publication(of call: CICall) -> String {
        let ours = ["version", ReleaseNames.publish, ReleaseNames.parts, ReleaseNames.pullRequest]
        let others = call.lane.parameters.filter { !ours.contains($0.name) }
        let fixed = others.compactMap { parameter in
            call.values[parameter.name].flatMap { word(parameter, $0) }.map(ShellWords.quoted)
        }
        let line =
            [plan.command, call.lane.name, "--\(ReleaseNames.publish)", "\"--version=$version\""] + fixed
        let open = others.filter { call.values[$0.name] == nil }
        return """
            version=$(sed -n 's/^  "version": "\\(.*\\)",$/\\1/p' dist/*.manifest.json | sort -u)
            \((["set --"] + open.map(taking)).joined(separator: "\n"))
            \(line.joined(separator: " ")) "$@"

            """
    }

    /// Returns an option for a value. Positional parameters are also options, because others may be omitted.
    private func word(_ parameter: Parameter, _ value: String) -> String? {
        guard parameter.isFlag else { return "--\(parameter.name)=\(value)" }
        if value == "true" { return "--\(parameter.name)" }
        return parameter.hasInverse ? "--no-\(parameter.name)" : nil
    }

    /// Returns a command that adds an option if the user has entered a value.
    private func taking(_ parameter: Parameter) -> String {
        let variable = Self.variable(parameter)
        if parameter.isFlag {
            var lines: [String] = []
            if parameter.defaultValue != .bool(true) {
                lines.append("[ \"$\(variable)\" != true ] || set -- \"$@\" --\(parameter.name)")
            }
            if parameter.hasInverse {
                lines.append("[ \"$\(variable)\" != false ] || set -- \"$@\" --no-\(parameter.name)")
            }
            return lines.joined(separator: "\n")
        }
        if parameter.kind == .version, job.releasesProposals {
            let prefix = ShellWords.quoted(plan.proposalBranch)
            return "[ -z \"$\(variable)\" ] || set -- \"$@\" \"--\(parameter.name)=${\(variable)#\(prefix)}\""
        }
        return "[ -z \"$\(variable)\" ] || set -- \"$@\" \"--\(parameter.name)=$\(variable)\""
    }
}
