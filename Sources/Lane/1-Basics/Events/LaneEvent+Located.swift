extension LaneEvent.Kind {
    /// Returns the event of a package in a subdirectory with paths relative to the root.
    ///
    /// - Parameter prefix: The path of the package, either empty or with a trailing `/`.
    package func located(below prefix: String) -> LaneEvent.Kind {
        guard !prefix.isEmpty else { return self }
        return switch self {
        case .buildDiagnostic(let diagnostic):
            .buildDiagnostic(
                BuildDiagnostic(
                    diagnostic.severity, diagnostic.message, at: diagnostic.location?.located(below: prefix),
                    excerpt: diagnostic.excerpt))
        case .message(let message):
            .message(Message(message.level, message.text, at: message.location?.located(below: prefix)))
        case .test(.planned(let tests)):
            .test(
                .planned(
                    tests.map { test in
                        TestInfo(
                            id: test.id, displayName: test.displayName, location: test.location?.located(below: prefix),
                            isParameterized: test.isParameterized, usualDuration: test.usualDuration)
                    }))
        case .test(.issue(let issue)):
            .test(
                .issue(
                    TestIssue(
                        test: issue.test, severity: issue.severity, text: issue.text,
                        at: issue.location?.located(below: prefix), argument: issue.argument, source: issue.source)))
        default: self
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
