import Expressions
package import Text

extension PlanBuilder {
    /// Returns the variables of a lane's dotenv files in their order. Adds the errors in the files to `fileErrors`.
    mutating func fileVariables(of lane: Lane) -> [DotEnv.Variable] {
        lane.dotenv.flatMap { file in
            if let known = fileVariables[file.path] { return known }
            let variables = file.variables({ file throws(Diagnostic) in try sources.dotEnv(file, true) }, &fileErrors)
            fileVariables[file.path] = variables
            return variables
        }
    }

    /// Reads the dotenv files of all other lanes, whose secrets are masked, too. They may be missing or invalid.
    mutating func readOtherFiles() {
        for file in files.lanes.flatMap(\.dotenv) where fileVariables[file.path] == nil {
            let source = try? sources.dotEnv(file, false)
            fileVariables[file.path] = source.map { DotEnv.parse($0).variables } ?? []
        }
    }
}

extension Plan {
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
    package func dotEnvDiagnostics(read: (DotEnvFile) throws(Diagnostic) -> SourceFile?) -> Diagnostics {
        var diagnostics = Diagnostics()
        // Several lanes can include the same file, whose errors are reported once.
        var seen: [Span?] = []
        for file in lanes.flatMap(\.dotenv) where !seen.contains(file.span) {
            seen.append(file.span)
            _ = file.variables(read, &diagnostics)
        }
        return diagnostics
    }
}

extension DotEnvFile {
    /// Returns the variables of the file. Reports a missing or invalid file.
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
