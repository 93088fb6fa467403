import Events

/// A report of a linker, reduced to its causes. Each undefined or duplicate symbol occurs once, with its first
/// location.
struct LinkReport: Sendable {
    private static let maximumCauses = 10
    /// The maximum number of detail rows of a cause. In the format of lld, a location takes two rows.
    private static let maximumDetails = 2

    private var rows: [String] = []
    private var causes: Set<String> = []
    private var omitted: Set<UInt64> = []
    /// The remaining number of detail rows of the last cause.
    private var detailsLeft = 0

    init(_ first: Bytes) {
        add(first)
    }

    mutating func add(_ row: Bytes) {
        if row.hasPrefix(">>>") || row.hasPrefix("      ") || row.hasPrefix("\t") { return addDetail(row) }
        detailsLeft = 0
        guard !row.hasPrefix("error: link command failed"), !Self.isWarning(row) else { return }
        let cause = row.firstIndex(of: ": error: ").map { row.from($0 + 9) } ?? row
        guard causes.count < Self.maximumCauses else {
            if !causes.contains(cause.string), omitted.count < 10_000 { omitted.insert(hashOf(cause.buffer)) }
            return
        }
        guard causes.insert(cause.string).inserted else { return }
        rows.append(row.string)
        detailsLeft = Self.maximumDetails
    }

    private mutating func addDetail(_ row: Bytes) {
        guard detailsLeft > 0 else { return }
        detailsLeft -= 1
        rows.append(row.string)
    }

    private static func isWarning(_ row: Bytes) -> Bool {
        row.hasPrefix("warning: ") || row.firstIndex(of: ": warning: ") != nil
    }

    /// Returns a diagnostic with the causes and the first location. A single row becomes the message.
    func diagnostic(_ paths: SourcePaths) -> BuildDiagnostic {
        let heads = rows.lazy.compactMap { row in
            var row = row
            return row.withUTF8 { DiagnosticHead(Bytes($0), paths) }
        }
        let location = heads.lazy.compactMap(\.location).first
        if rows.isEmpty { return BuildDiagnostic(.error, "link command failed") }
        if rows.count == 1, let message = heads.first?.message { return BuildDiagnostic(.error, message, at: location) }
        let rest = omitted.isEmpty ? [] : ["… and \(omitted.count) more"]
        return BuildDiagnostic(.error, (rows + rest).joined(separator: "\n"), at: location)
    }
}
