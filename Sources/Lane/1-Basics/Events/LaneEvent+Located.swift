extension LaneEvent.Kind {
    /// Returns the event of a package in a subdirectory with paths relative to the root.
    ///
    /// - Parameter prefix: The path of the package, either empty or with a trailing `/`.
    package func located(below prefix: String) -> LaneEvent.Kind {
        guard !prefix.isEmpty else { return self }
        switch self {
        case .buildDiagnostic(var diagnostic):
            diagnostic.location = diagnostic.location?.located(below: prefix)
            return .buildDiagnostic(diagnostic)
        case .message(var message):
            message.location = message.location?.located(below: prefix)
            return .message(message)
        case .test(.planned(var tests)):
            for index in tests.indices { tests[index].location = tests[index].location?.located(below: prefix) }
            return .test(.planned(tests))
        case .test(.issue(var issue)):
            issue.location = issue.location?.located(below: prefix)
            return .test(.issue(issue))
        default: return self
        }
    }
}

extension SourceLocation {
    fileprivate func located(below prefix: String) -> SourceLocation {
        SourceLocation(path: path.located(below: prefix), line: line, column: column)
    }
}

extension String {
    fileprivate func located(below prefix: String) -> String { hasPrefix("/") ? self : prefix + self }
}
