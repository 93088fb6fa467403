package import Events
import OperatingSystem
import Text

/// The sources that packed tests search for by `#filePath` and that are not on this machine.
package struct MissingSources: Sendable {
    private let root: String
    private let isMissing: Bool

    /// - Parameter root: The directory of the package when it was built.
    package init(root: String) {
        self.root = root
        isMissing = !fileExists("\(root)/Package.swift")
    }

    /// Returns the event with a note about the missing file if a test failed because of one.
    package func explained(_ kind: LaneEvent.Kind) -> LaneEvent.Kind {
        guard isMissing, case .test(.issue(var issue)) = kind, issue.severity == .failure,
            let path = missingPath(in: issue.text)
        else { return kind }
        issue.text +=
            "\nnote: '\(path)' is not on this machine; the tests were built in '\(root)'\n"
            + "hint: run them, packed with '--with-sources', in that directory, or read resources with 'Bundle.module'"
        return .test(.issue(issue))
    }

    /// Returns the first path below the root in a text. Skips source locations such as `/a/b.swift:3`.
    func missingPath(in text: String) -> String? {
        var rest = text[...]
        while let start = rest.range(of: "\(root)/") {
            let path = rest[start.lowerBound...].prefix { !$0.isWhitespace && !"\"'”’`)>,;:".contains($0) }
            rest = rest[path.endIndex...]
            let isLocation = rest.first == ":" && rest.dropFirst().first?.isNumber == true
            if !isLocation, !fileExists(String(path)) { return String(path) }
        }
        return nil
    }
}
