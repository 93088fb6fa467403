import LaneModel

/// The shell text of a job's steps. Values that a person gives come in environment variables and are never part of it.
struct CIShell {
    /// Where test reports go, relative to the package's root; not what is restored from a cache.
    static let reports = ".lane/reports"

    /// Chooses the newest Xcode of a macOS machine, whose default one may have an older Swift than `lane` needs.
    static let xcode = (
        name: "Choose the newest Xcode",
        text: """
        xcode=$(ls -d /Applications/Xcode_[0-9]*.app | grep -vi beta | sort -V | tail -n 1)
        sudo xcode-select --switch "$xcode"
        swift --version

        """
    )

    let plan: CIPlan
    let job: CIJob

    /// The variable that holds a parameter's value in a job that is started by hand.
    static func variable(_ parameter: Parameter) -> String {
        "LANE_PARAMETER_" + parameter.name.uppercased().map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
    }

    /// The commands of the lanes, each with the names of the secrets that its lane declares.
    var commands: [(name: String, text: String, secrets: [String])] {
        job.calls.map { call in (call.lane.name, text(of: call), call.secrets) }
    }

    private func text(of call: CICall) -> String {
        var fixed: [String] = [plan.command, call.lane.name]
        for parameter in call.lane.parameters {
            guard let value = call.values[parameter.name] else { continue }
            if let word = word(parameter, value) { fixed.append(ShellWords.quoted(word)) }
        }
        if call.runsTests { fixed += ["--junit", "\(Self.reports)/\(call.lane.name).xml"] }
        let line = fixed.joined(separator: " ")
        let open = job.isManual ? call.openParameters : []
        guard !open.isEmpty else { return line }
        return (["set --"] + open.map(taking) + [line + " \"$@\""]).joined(separator: "\n") + "\n"
    }

    /// By its name also where it has a place: others with a place may be left out.
    private func word(_ parameter: Parameter, _ value: String) -> String? {
        guard parameter.isFlag else { return "--\(parameter.name)=\(value)" }
        if value == "true" { return "--\(parameter.name)" }
        return parameter.defaultValue == .bool(true) ? "--no-\(parameter.name)" : nil
    }

    /// Adds a parameter to the words when it was given.
    private func taking(_ parameter: Parameter) -> String {
        let variable = Self.variable(parameter)
        if parameter.isFlag {
            let isOn = parameter.defaultValue == .bool(true)
            let word = isOn ? "--no-\(parameter.name)" : "--\(parameter.name)"
            return "[ \"$\(variable)\" != \(isOn ? "false" : "true") ] || set -- \"$@\" \(word)"
        }
        return "[ -z \"$\(variable)\" ] || set -- \"$@\" \"--\(parameter.name)=$\(variable)\""
    }
}
