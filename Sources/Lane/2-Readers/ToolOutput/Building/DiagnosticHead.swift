import Events
import Text

/// The first line of a diagnostic: `<path>:<line>:<column>: error|warning|note: <text>`. Some tools print their name
/// instead of a location.
struct DiagnosticHead: Sendable {
    let severity: BuildDiagnostic.Severity
    let message: String
    let location: SourceLocation?
    /// A Boolean value that indicates whether the location is in a macro expansion. The excerpt contains the location
    /// in the source.
    let isInMacro: Bool

    init?(_ text: Bytes, _ paths: SourcePaths) {
        var from = 0
        if let (severity, length) = Self.severity(text, at: 0) {
            if let head = Self.ofManifest(text.from(length), paths) {
                self = head
                return
            }
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

    /// Creates the head of an error whose line lacks the word `error`.
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

    /// Parses the diagnostic of a manifest, whose name SwiftPM puts first: `'app': /p/Package.swift:4:13: warning: …`.
    private static func ofManifest(_ text: Bytes, _ paths: SourcePaths) -> DiagnosticHead? {
        guard text[0] == UInt8(ascii: "'"), let end = text.firstIndex(of: "': /"),
            let head = DiagnosticHead(text.from(end + 3), paths), head.location != nil
        else { return nil }
        return head
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

    /// Returns the message with a hint if the cause is known. The name of the tool precedes it, except for the
    /// compiler's.
    private static func message(_ text: Bytes, from tool: String) -> String {
        var message = text.string
        if let compiled = text.firstIndex(of: " (compiled with: ["), text.firstIndex(of: "Invalid manifest") != nil {
            message = text.upTo(compiled).string
        }
        if !tool.isEmpty, !tool.hasPrefix("<") { message = "\(tool): \(message)" }
        if text.firstIndex(of: "due to signal 9") != nil
            || text.firstIndex(of: "unable to execute command: Killed") != nil
        {
            message += "\nhint: the system killed the compiler, probably because of low memory; use fewer --jobs"
        }
        return message
    }

    /// Returns a Boolean value that indicates whether this is a warning about a dependency, which the author of the
    /// package cannot change. SwiftPM repeats such warnings in each build.
    ///
    /// Before SwiftPM checks a dependency out, the path of its manifest is `/Package.swift`.
    func isAboutDependency(excerpt: [String]) -> Bool {
        guard severity == .warning else { return false }
        if location?.path == "/Package.swift" { return true }
        return [location?.path ?? message, excerpt.first ?? ""].contains { text in
            text.contains(".build/checkouts/") || text.contains("SourcePackages/checkouts/")
        }
    }

    func diagnostic(excerpt: [String], _ paths: SourcePaths) -> BuildDiagnostic {
        if location == nil, message.contains(" which are unhandled; ") {
            return BuildDiagnostic(severity, message, excerpt: Self.firstFiles(excerpt, paths))
        }
        guard isInMacro else { return BuildDiagnostic(severity, message, at: location, excerpt: excerpt) }
        let origin = excerpt.lazy.compactMap { Self.origin($0, paths) }.first
        return BuildDiagnostic(severity, message, at: origin, excerpt: excerpt)
    }

    /// Returns the first unhandled files in the rows below the message, because there may be hundreds.
    private static func firstFiles(_ rows: [String], _ paths: SourcePaths) -> [String] {
        let most = 3
        var files = rows.prefix(most).map { row in
            var row = row
            return row.withUTF8 { "    " + paths.relative(Bytes($0).trimmed) }
        }
        if rows.count > most { files.append("    … and \(rows.count - most) more") }
        return files
    }

    /// Parses `` `- <path>:3:40: note: expanded code originates here ``. Its column does not refer to the source.
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

/// A set of reported diagnostics. Tools repeat diagnostics for every target that compiles a file, in macro expansions,
/// and for an invalid manifest.
struct ReportedDiagnostics: Sendable {
    private struct Key: Hashable {
        let severity: BuildDiagnostic.Severity
        let message: String
        let path: String
        let line: Int
        /// The column, or 0 for any column of the line.
        let column: Int
    }

    /// The maximum number of remembered diagnostics. Further diagnostics may be reported again.
    private static let limit = 20_000

    private var keys: Set<Key> = []
    /// The messages of errors at any location.
    private var messages: Set<String> = []
    /// The buffered diagnostics in macro expansions. The same diagnostics may follow with a location in the source.
    private var held: [BuildDiagnostic] = []

    mutating func isNew(_ diagnostic: BuildDiagnostic) -> Bool {
        guard keys.count < Self.limit else { return true }
        if diagnostic.severity == .error { messages.insert(diagnostic.message) }
        keys.insert(key(diagnostic, column: 0))
        return keys.insert(key(diagnostic, column: diagnostic.location?.column ?? -1)).inserted
    }

    /// Returns a Boolean value that indicates whether an error with the message was reported.
    func hasReported(_ message: String) -> Bool { messages.contains(message) }

    mutating func hold(_ diagnostic: BuildDiagnostic) { held.append(diagnostic) }

    /// Returns the buffered diagnostics that were not reported otherwise.
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
