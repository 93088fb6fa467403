import Events

extension LaneEvent.Kind {
    /// The text of the event for a step's log: output, or a line for a result. `nil` for other events, such as a passed
    /// test.
    package var logText: (bytes: [UInt8], isLine: Bool)? {
        switch self {
        case .stepOutput(let chunk): (chunk.bytes, false)
        case .test(.output(_, let bytes)): (bytes, false)
        case .test(.issue(let issue)):
            Self.line(
                [issue.location?.text, issue.severity.rawValue, issue.test?.description, issue.argument], issue.text)
        case .test(.ended(let result)):
            switch result.outcome {
            case .passed, .failed: nil
            case .skipped(let reason): Self.line([result.test.description, "skipped"], reason ?? "")
            case .crashed(let how): Self.line([result.test.description, "crashed"], how)
            case .timedOut(let limit): Self.line([result.test.description, "timed out"], "after \(limit)")
            case .notRun(let reason): Self.line([result.test.description, "not run"], reason)
            }
        case .buildDiagnostic(let diagnostic):
            Self.line(
                [diagnostic.location?.text, diagnostic.severity.rawValue],
                ([diagnostic.message] + diagnostic.excerpt).joined(separator: "\n"))
        case .message(let message): Self.line([message.level.rawValue], message.text)
        default: nil
        }
    }

    private static func line(_ heads: [String?], _ text: String) -> (bytes: [UInt8], isLine: Bool) {
        (Array(((heads + [text]).compactMap { $0 }.joined(separator: ": ") + "\n").utf8), true)
    }
}
