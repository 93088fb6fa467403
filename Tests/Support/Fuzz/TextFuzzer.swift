import Actions
import Events
import Reports
import Text
import Versioning

/// The function that libFuzzer calls with each input; `ci/fuzz` builds it. The first byte selects the test of the rest.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let purpose = bytes.first else { return 0 }
    let rest = Array(bytes.dropFirst())
    switch purpose {
    case UInt8(ascii: "m"): mask(rest)
    case UInt8(ascii: "t"): show(String(decoding: rest, as: UTF8.self))
    case UInt8(ascii: "c"): release(String(decoding: rest, as: UTF8.self))
    case UInt8(ascii: "v"): compare(rest)
    default: report(rest)
    }
    return 0
}

/// Masks two secrets, each on a line, in the text after them. No secret may remain, in one chunk or in two.
private func mask(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false).map(Array.init)
    guard parts.count == 3 else { return }
    let values = parts[..<2].map { String(decoding: $0, as: UTF8.self) }
    let mask = SecretMask(["A": values[0], "B": values[1]])
    let text = parts[2]
    let whole = masked([text], mask)
    let cut = text.isEmpty ? 0 : Int(bytes[0]) % text.count
    precondition(whole == masked([Array(text[..<cut]), Array(text[cut...])], mask), "in pieces it is another text")
    for value in values where value.utf8.count >= SecretMask.minimumLength && !value.utf8.contains(UInt8(ascii: "*")) {
        precondition(whole.firstRange(of: Array(value.utf8)) == nil, "a secret remains")
    }
}

private func masked(_ pieces: [[UInt8]], _ mask: SecretMask) -> [UInt8] {
    var result: [UInt8] = []
    var stream = MaskedStream(mask)
    for piece in pieces { piece.withUnsafeBytes { stream.pass($0) { result += $0 } } }
    stream.finish { result += $0 }
    return result
}

/// Nothing that a child prints moves the cursor, and what is cut fits.
private func show(_ text: String) {
    let sanitized = TerminalText.sanitized(text)
    precondition(sanitized.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" }, "a control character remains")
    precondition(TerminalText.sanitized(sanitized) == sanitized, "what is sanitized is changed again")
    precondition(!TerminalText.onOneLine(text).utf8.contains(0x0A), "a line end remains")
    let row = TerminalText.row(text, keepsColor: true)
    for sequence in row.unicodeScalars.split(separator: "\u{1B}").dropFirst(row.hasPrefix("\u{1B}") ? 0 : 1) {
        precondition(sequence.first == "[" && sequence.contains("m"), "a sequence remains that is not a color")
    }
    for limit in [0, 1, 2, 7, 40] {
        let cut = TerminalText.truncated(sanitized, to: limit)
        precondition(TerminalText.columns(cut) <= limit, "what is cut does not fit")
    }
}

/// A release adds to a changelog, and takes nothing from it but the link of what was unreleased.
private func release(_ text: String) {
    guard let version = SemanticVersion("7.8.9") else { return }
    var changelog = Changelog(text)
    let old = changelog.text
    precondition(Changelog(old).text == old, "the parser does not read what the writer wrote")
    try? changelog.release(
        version, date: "2026-01-01", entries: [], tag: "7.8.9", previousTag: "7.8.8", address: "https://example.org/a")
    var rest = changelog.text.utf8.split(separator: 0x0A)[...]
    for line in old.utf8.split(separator: 0x0A) where !String(Substring(line)).lowercased().hasPrefix("[unreleased]: ")
    {
        // Blank lines may be gone.
        if line.allSatisfy({ [0x20, 0x09, 0x0B, 0x0C, 0x0D].contains($0) }) { continue }
        guard let place = rest.firstIndex(where: { $0.elementsEqual(line) }) else {
            preconditionFailure("a line is gone: \(String(Substring(line)))")
        }
        rest = rest[(place + 1)...]
    }
    _ = changelog.notes(for: version)
}

private func compare(_ bytes: [UInt8]) {
    let texts = bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    for text in texts { if let tag = ReleaseTag(text) { precondition(tag.prefix + tag.version.description == text) } }
    let versions = texts.compactMap { SemanticVersion($0) }
    for one in versions {
        precondition(SemanticVersion(one.description) == one, "a version is not read back")
        for other in versions {
            precondition([one < other, other < one, one == other].count { $0 } == 1, "an order that is none")
        }
    }
}

/// Reads lines of events, as another `lane` may have written them. They are written and read again, and every report
/// receives them.
private func report(_ bytes: [UInt8]) {
    var events: [LaneEvent] = []
    var encoder = EventLineEncoder()
    for line in bytes.split(separator: 0x0A) {
        guard let event = try? EventLineDecoder.decode(Array(line)) else { continue }
        let again = encoder.line(for: event)
        guard let decoded = try? EventLineDecoder.decode(Array(again.dropLast())) else {
            preconditionFailure("the parser does not read what the writer wrote")
        }
        precondition(encoder.line(for: decoded) == again, "the parser reads something else than the writer wrote")
        events.append(event)
    }
    let style = TextStyle(isColored: true, isUnicode: true)
    var page: [UInt8] = []
    let reports: [any EventReceiver] = [
        TerminalReport(style: style, level: .verbose, size: { TerminalSize(columns: 20, rows: 5) }, write: { _ in }),
        PlainReport(style: .plain, commands: GitHubCommands(), write: { _ in }), JUnitReport { page += $0 },
        MarkdownSummary { _ in }, HTMLReport { _ in }, AnnotationReport(GitHubCommands()) { _ in },
    ]
    var run = RunSummary()
    for event in events {
        run.receive(event)
        for report in reports { report.receive(event, run) }
    }
    precondition(page.allSatisfy { $0 >= 0x20 || $0 == 0x0A || $0 == 0x09 }, "a control character in XML")
}
