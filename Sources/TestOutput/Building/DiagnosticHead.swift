import LaneEvents

/// The first line of a diagnostic: `<path>:<line>:<column>: error|warning|note: <text>`, or the same of a tool instead of a
/// place.
struct DiagnosticHead: Sendable {
    let severity: BuildDiagnostic.Severity
    let message: String
    let location: SourceLocation?
    /// The compiler speaks of code that a macro made; the excerpt tells the place in the source.
    let isInMacro: Bool

    init?(_ text: Bytes, _ paths: SourcePaths) {
        var from = 0
        if let (severity, length) = Self.severity(text, at: 0) {
            self.init(severity, text.from(length), place: Bytes(UnsafeRawBufferPointer(start: nil, count: 0)), paths)
            return
        }
        while let colon = text.firstIndex(of: UInt8(ascii: ":"), from: from) {
            if text[colon + 1] == 0x20, let (severity, length) = Self.severity(text, at: colon + 2) {
                self.init(severity, text.from(colon + 2 + length), place: text.upTo(colon), paths)
                return
            }
            from = colon + 1
        }
        return nil
    }

    /// An error that is not marked as one.
    init?(cause text: Bytes) {
        guard BuildCause.matches(text) else { return nil }
        severity = .error
        message = text.hasPrefix("[BCEROR]") ? text.from(8).string : text.string
        location = nil
        isInMacro = false
    }

    private init(_ severity: BuildDiagnostic.Severity, _ text: Bytes, place: Bytes, _ paths: SourcePaths) {
        self.severity = severity
        isInMacro = place.hasPrefix("macro expansion ") || place.firstIndex(of: "@__swiftmacro_") != nil
        location = isInMacro ? nil : paths.location(place)
        message = Self.message(text, from: location != nil || isInMacro ? "" : paths.relative(place))
    }

    @inline(__always)
    private static func severity(_ text: Bytes, at index: Int) -> (BuildDiagnostic.Severity, length: Int)? {
        switch text[index] {
        case UInt8(ascii: "e") where text.matches("error: ", at: index): (.error, 7)
        case UInt8(ascii: "w") where text.matches("warning: ", at: index): (.warning, 9)
        case UInt8(ascii: "n") where text.matches("note: ", at: index): (.note, 6)
        case UInt8(ascii: "r") where text.matches("remark: ", at: index): (.note, 8)
        case UInt8(ascii: "f") where text.matches("fatal error: ", at: index): (.error, 13)
        default: nil
        }
    }

    /// With the name of the tool that says it, where that is not the compiler, and a hint where the cause is known.
    private static func message(_ text: Bytes, from tool: String) -> String {
        var message = text.string
        if let compiled = text.firstIndex(of: " (compiled with: ["), text.firstIndex(of: "Invalid manifest") != nil {
            message = text.upTo(compiled).string
        }
        if !tool.isEmpty, !tool.hasPrefix("<") { message = "\(tool): \(message)" }
        if text.firstIndex(of: "due to signal 9") != nil
            || text.firstIndex(of: "unable to execute command: Killed") != nil
        {
            message += "\nhint: the system killed the compiler, most likely for lack of memory; try fewer --jobs"
        }
        return message
    }

    func diagnostic(excerpt: [String], _ paths: SourcePaths) -> BuildDiagnostic {
        if location == nil, message.contains(" which are unhandled; ") {
            return BuildDiagnostic(severity, message, excerpt: Self.firstFiles(excerpt, paths))
        }
        guard isInMacro else { return BuildDiagnostic(severity, message, at: location, excerpt: excerpt) }
        let origin = excerpt.lazy.compactMap { Self.origin($0, paths) }.first
        return BuildDiagnostic(severity, message, at: origin, excerpt: excerpt)
    }

    /// The first of the files, below the message, that the manifest forgets: a folder of fixtures has hundreds.
    private static func firstFiles(_ rows: [String], _ paths: SourcePaths) -> [String] {
        let most = 3
        var files = rows.prefix(most).map { row in
            var row = row
            return row.withUTF8 { "    " + paths.relative(Bytes($0).trimmed) }
        }
        if rows.count > most { files.append("    … and \(rows.count - most) more") }
        return files
    }

    /// `` `- <path>:3:40: note: expanded code originates here ``; the column is not the one in the source.
    private static func origin(_ row: String, _ paths: SourcePaths) -> SourceLocation? {
        var row = row
        return row.withUTF8 { buffer in
            let text = Bytes(buffer)
            guard text.hasPrefix("`- "), let end = text.firstIndex(of: ": note: expanded code originates here"),
                let place = paths.location(text.between(3, end))
            else { return nil }
            return SourceLocation(path: place.path, line: place.line)
        }
    }
}

/// Remembers diagnostics, so that each is told once however often the tools print it: for every target that compiles a
/// file, inside macro expansions, a broken manifest twice.
struct ToldDiagnostics: Sendable {
    private struct Key: Hashable {
        let severity: BuildDiagnostic.Severity
        let message: String
        let path: String
        let line: Int
        /// 0 stands for any place in the line.
        let column: Int
    }

    /// More than these are not remembered, and may be told again.
    private static let limit = 20_000

    private var keys: Set<Key> = []
    /// The messages of errors, wherever they were.
    private var messages: Set<String> = []
    /// Those in macro expansions wait: the same may still come with its place in the source.
    private var held: [BuildDiagnostic] = []

    mutating func isNew(_ diagnostic: BuildDiagnostic) -> Bool {
        guard keys.count < Self.limit else { return true }
        if diagnostic.severity == .error { messages.insert(diagnostic.message) }
        keys.insert(key(diagnostic, column: 0))
        return keys.insert(key(diagnostic, column: diagnostic.location?.column ?? -1)).inserted
    }

    /// A Boolean value that indicates whether an error of this message was told.
    func hasTold(_ message: String) -> Bool { messages.contains(message) }

    mutating func hold(_ diagnostic: BuildDiagnostic) { held.append(diagnostic) }

    /// Those held that nothing else has told.
    mutating func takeHeld() -> [BuildDiagnostic] {
        if held.isEmpty { return [] }
        defer { held = [] }
        return held.filter { diagnostic in
            keys.count >= Self.limit || keys.insert(key(diagnostic, column: 0)).inserted
        }
    }

    private func key(_ diagnostic: BuildDiagnostic, column: Int) -> Key {
        Key(
            severity: diagnostic.severity, message: diagnostic.message, path: diagnostic.location?.path ?? "",
            line: diagnostic.location?.line ?? 0, column: column)
    }
}
