package import Diagnostics

extension Plan {
    /// The same plan with the variables of the lanes' dotenv files before the environment of their steps.
    ///
    /// What is set in `environment` already stays as it is, as it does with other tools. `read` gives a file's text, or
    /// `nil` where there is none.
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
                if known[file.path] == nil { known[file.path] = Self.variables(of: file, read, &diagnostics) }
                variables += known[file.path] ?? []
            }
            byGroup.append(variables.filter { environment[$0.name] == nil })
        }
        try diagnostics.throwIfErrors()
        // Another lane's file need not be there, or be right: only its secrets matter here.
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

    private static func variables(
        of file: DotEnvFile, _ read: (DotEnvFile) throws(Diagnostic) -> SourceFile?, _ diagnostics: inout Diagnostics
    ) -> [DotEnv.Variable] {
        do {
            guard let source = try read(file) else {
                if !file.isOptional {
                    diagnostics.error(
                        "there is no file '\(file.path)'", at: file.span,
                        hint: "make it, or write '{ path: \(file.path), optional: true }'")
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

    /// All values that must not be shown, by names that say where they come from.
    package func secretValues(in environment: [String: String]) -> [String: String] {
        var values: [String: String] = [:]
        let secrets = allSecrets
        for name in secrets { values[name] = environment[name] }
        for variable in fileVariables where secrets.contains(variable.name) {
            values["\(variable.name) in \(variable.span.file.path)"] = variable.value
        }
        return values
    }
}
