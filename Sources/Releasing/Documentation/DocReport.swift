import Files
import JSON
import LaneEvents

/// A parser of the diagnostics file of DocC.
enum DocReport {
    static func diagnostics(in json: [UInt8], root: String) -> [BuildDiagnostic] {
        let found = (try? JSONParser.parse(json))?["diagnostics"]?.array ?? []
        return found.compactMap { node in
            guard let text = node["summary"]?.string,
                let severity = BuildDiagnostic.Severity(rawValue: node["severity"]?.string ?? "")
            else { return nil }
            let more = node["explanation"]?.string.map { "\n\($0)" } ?? ""
            return BuildDiagnostic(severity, text + more, at: location(node, root))
        }
    }

    private static func location(_ node: JSONNode, _ root: String) -> SourceLocation? {
        guard let path = node["source"]?.string.flatMap(FileURL.path), let start = node["range"]?["start"],
            let line = start["line"]?.integer
        else { return nil }
        return SourceLocation(path: relativePath(path, to: root), line: line, column: start["column"]?.integer)
    }
}
