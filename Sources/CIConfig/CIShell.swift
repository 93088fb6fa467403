import LaneModel
import Processes

/// The shell text of a job's steps. Values that a person gives come in environment variables and are never part of it.
struct CIShell {
    /// Where test reports go, relative to the package's root; not what is restored from a cache.
    static let reports = ".lane/reports"

    let plan: CIPlan
    let job: CIJob

    /// The variable that holds a parameter's value in a job that is started by hand.
    static func variable(_ parameter: Parameter) -> String {
        "LANE_PARAMETER_" + parameter.name.uppercased().map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
    }

    /// One text for each lane.
    var commands: [(name: String, text: String)] {
        job.calls.map { call in (call.lane.name, text(of: call)) }
    }

    private func text(of call: CICall) -> String {
        var fixed: [String] = [plan.command, call.lane.name]
        for parameter in call.lane.parameters.inCommandLineOrder {
            guard let value = call.values[parameter.name] else { continue }
            fixed += words(parameter, value).map(Command.quoted)
        }
        if call.runsTests { fixed += ["--junit", "\(Self.reports)/\(call.lane.name).xml"] }
        let line = fixed.joined(separator: " ")
        let open = job.isManual ? call.openParameters.inCommandLineOrder : []
        guard !open.isEmpty else { return line }
        return (["set --"] + open.map(taking) + [line + " \"$@\""]).joined(separator: "\n") + "\n"
    }

    private func words(_ parameter: Parameter, _ value: String) -> [String] {
        if parameter.kind == .bool {
            if value == "true" { return ["--\(parameter.name)"] }
            return parameter.defaultValue == .bool(true) ? ["--no-\(parameter.name)"] : []
        }
        return parameter.position == nil ? ["--\(parameter.name)=\(value)"] : [value]
    }

    /// Adds a parameter to the words when it was given.
    private func taking(_ parameter: Parameter) -> String {
        let variable = Self.variable(parameter)
        if parameter.kind == .bool {
            let isOn = parameter.defaultValue == .bool(true)
            let word = isOn ? "--no-\(parameter.name)" : "--\(parameter.name)"
            return "[ \"$\(variable)\" != \(isOn ? "false" : "true") ] || set -- \"$@\" \(word)"
        }
        let word = parameter.position == nil ? "\"--\(parameter.name)=$\(variable)\"" : "\"$\(variable)\""
        return "[ -z \"$\(variable)\" ] || set -- \"$@\" \(word)"
    }
}

extension Array where Element == Parameter {
    /// Positional ones by their places, then the others.
    var inCommandLineOrder: [Parameter] {
        filter { $0.position != nil }.sorted { ($0.position ?? 0) < ($1.position ?? 0) } + filter { $0.position == nil }
    }
}
