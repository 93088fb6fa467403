package import Diagnostics
import Expressions
package import LaneModel

extension Plan {
    /// Returns the plan with the variables of the lanes' dotenv files before the environment of their steps.
    ///
    /// A variable that is already set in `environment` keeps its value, as in other tools. `read` returns the text of a
    /// file, or `nil` if it is missing.
    package func addingDotEnv(
        to environment: [String: String], read: (DotEnvFile) throws(Diagnostic) -> SourceFile?
    ) throws(Diagnostics) -> Plan {
        guard !foreignDotEnv.isEmpty || groups.contains(where: { !$0.dotenv.isEmpty }) else { return self }
        var diagnostics = Diagnostics()
        var known: [String: [DotEnv.Variable]] = [:]
        var byGroup: [[DotEnv.Variable]] = []
        for group in groups {
            var variables: [DotEnv.Variable] = []
            for file in group.dotenv {
                if known[file.path] == nil { known[file.path] = file.variables(read, &diagnostics) }
                variables += known[file.path] ?? []
            }
            byGroup.append(variables.filter { environment[$0.name] == nil })
        }
        try diagnostics.throwIfErrors()
        // Files of other lanes may be missing or invalid. They are read for their secrets only.
        for file in foreignDotEnv where known[file.path] == nil {
            known[file.path] = (try? read(file)).map { DotEnv.parse($0).variables } ?? []
        }
        var plan = self
        plan.fileVariables = known.values.flatMap { $0 }
        for index in plan.steps.indices {
            let variables = byGroup[plan.steps[index].group]
            plan.steps[index] = plan.steps[index].adding(variables.map { ($0.name, Template($0.value)) })
        }
        return plan
    }

    /// Returns all values to mask, by names that include their sources.
    package func secretValues(in environment: [String: String]) -> [String: String] {
        var values = hiddenValues
        let secrets = allSecrets
        for name in secrets { values[name] = environment[name] }
        for variable in fileVariables where secrets.contains(variable.name) {
            values["\(variable.name) in \(variable.span.file.path)"] = variable.value
        }
        return values
    }
}

extension CheckedLaneFiles {
    /// Reports missing and invalid dotenv files at each location that names them.
    ///
    /// - Parameter read: Returns the text of a file, or `nil` if it is missing.
    package func dotEnvDiagnostics(read: (DotEnvFile) throws(Diagnostic) -> SourceFile?) -> Diagnostics {
        var diagnostics = Diagnostics()
        // An included file is decoded once, but each lane that includes it names it.
        var seen: [Span?] = []
        for file in lanes.flatMap(\.dotenv) where !seen.contains(file.span) {
            seen.append(file.span)
            _ = file.variables(read, &diagnostics)
        }
        return diagnostics
    }
}

extension DotEnvFile {
    /// Returns the variables of the file. Throws if it is missing or invalid.
    func variables(
        _ read: (DotEnvFile) throws(Diagnostic) -> SourceFile?, _ diagnostics: inout Diagnostics
    ) -> [DotEnv.Variable] {
        do {
            guard let source = try read(self) else {
                if !isOptional {
                    diagnostics.error(
                        "there is no file '\(path)'", at: span,
                        hint: "create it, or write '{ path: \(path), optional: true }'")
                }
                return []
            }
            let (variables, found) = DotEnv.parse(source)
            diagnostics.add(found)
            return variables
        } catch {
            diagnostics.add(error)
            return []
        }
    }
}
