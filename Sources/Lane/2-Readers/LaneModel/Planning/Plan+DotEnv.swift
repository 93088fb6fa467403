import Expressions
package import Text

extension Plan {
    /// Returns the plan with the variables of dotenv files added to the environment of groups and steps.
    ///
    /// A variable that is set in `environment` keeps its value, as in other tools. `read` returns the contents of a
    /// file, or `nil` if the file is missing.
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
                if known[file.path] == nil { known[file.path] = file.variables(in: environment, read, &diagnostics) }
                variables += known[file.path] ?? []
            }
            byGroup.append(variables.filter { environment[$0.name] == nil })
        }
        try diagnostics.throwIfErrors()
        // Dotenv files of other lanes are read only for secrets, so they may be missing or invalid.
        for file in foreignDotEnv where known[file.path] == nil {
            known[file.path] = (try? read(file)).map { DotEnv.parse($0, in: environment).variables } ?? []
        }
        var plan = self
        for index in plan.groups.indices {
            plan.groups[index].environment.insert(
                contentsOf: byGroup[index].map { ($0.name, Template($0.value)) }, at: 0)
        }
        plan.fileVariables = known.values.flatMap { $0 }
        for index in plan.steps.indices {
            let variables = byGroup[plan.steps[index].group]
            plan.steps[index] = plan.steps[index].adding(variables.map { ($0.name, Template($0.value)) })
        }
        return plan
    }

    /// Returns all values to mask, each with its name or a description of its source.
    package func secretValues(in environment: [String: String]) -> [(name: String, value: String)] {
        let secrets = allSecrets
        let variables = fileVariables.filter { secrets.contains($0.name) }
        return hiddenValues.map { (name: $0.value, value: $0.key) }
            + secrets.compactMap { name in environment[name].map { (name: name, value: $0) } }
            + variables.map { (name: "\($0.name) in \($0.span.file.path)", value: $0.value) }
    }
}

extension CheckedLaneFiles {
    /// Returns errors for missing and invalid dotenv files, at each location that names the file.
    ///
    /// - Parameter read: Returns the contents of a file, or `nil` if the file is missing.
    package func dotEnvDiagnostics(
        in environment: [String: String], read: (DotEnvFile) throws(Diagnostic) -> SourceFile?
    ) -> Diagnostics {
        var diagnostics = Diagnostics()
        // Several lanes can include the same file, whose errors are reported once.
        var seen: [Span?] = []
        for file in lanes.flatMap(\.dotenv) where !seen.contains(file.span) {
            seen.append(file.span)
            _ = file.variables(in: environment, read, &diagnostics)
        }
        return diagnostics
    }
}

extension DotEnvFile {
    /// Returns the variables of the file. Throws if the file is missing or invalid.
    func variables(
        in environment: [String: String], _ read: (DotEnvFile) throws(Diagnostic) -> SourceFile?,
        _ diagnostics: inout Diagnostics
    ) -> [DotEnv.Variable] {
        do {
            guard let source = try read(self) else {
                if !isOptional {
                    let isForShell = path.hasPrefix("~") || path.hasPrefix("$")
                    diagnostics.error(
                        "there is no file '\(path)'", at: span,
                        hint: isForShell
                            ? "no shell expands the path; it is absolute, or relative to the root"
                            : "create it, or write '{ path: \(path), optional: true }'")
                }
                return []
            }
            let (variables, found) = DotEnv.parse(source, in: environment)
            diagnostics.add(found)
            return variables
        } catch {
            diagnostics.add(error)
            return []
        }
    }
}
