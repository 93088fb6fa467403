import Events
import Records
import RemoteLanes
import Text
import ToolOutput

/// The function that libFuzzer calls with each input; `ci/fuzz` builds it. The first byte selects the reader of the rest.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let reader = bytes.first else { return 0 }
    let rest = Array(bytes.dropFirst())
    let text = String(decoding: rest, as: UTF8.self)
    switch reader {
    case UInt8(ascii: "r"): _ = try? ResultFile.runs(in: rest, commit: nil)
    case UInt8(ascii: "d"): compare(rest)
    case UInt8(ascii: "e"): summarize(ThreadStack.parse(euStack: rest))
    case UInt8(ascii: "g"): summarize(ThreadStack.parse(gdb: rest))
    case UInt8(ascii: "c"): measure(rest)
    case UInt8(ascii: "s"): _ = SourcesFile.read(SourceFile(path: "sources.yml", text: text))
    default: lock(text)
    }
    return 0
}

private func summarize(_ stacks: [ThreadStack]) {
    let summary = StackSummary(stacks, products: "/p/.build", root: "/p", tests: [])
    precondition(summary.lines.allSatisfy { !$0.utf8.contains(0x0A) }, "a line end remains")
}

/// Compares a run with itself, and with the same run without its last events.
private func compare(_ bytes: [UInt8]) {
    let events = bytes.split(separator: 0x0A).compactMap { try? EventLineDecoder.decode(Array($0)) }
    let style = TextStyle(isColored: true, isUnicode: true)
    _ = RunComparison(before: events, after: events).text(style: style)
    _ = RunComparison(before: events, after: events.dropLast(3)).text(style: style)
}

private func measure(_ bytes: [UInt8]) {
    guard let export = try? CoverageExport(json: bytes) else { return }
    let report = CoverageReport(files: export.files)
    precondition(report.percent.isFinite && (0...100).contains(report.percent), "a share that is none")
}

/// Reads a lock file, and checks that the parser reads what the writer writes.
private func lock(_ text: String) {
    guard let lock = try? SourcesLock.read(SourceFile(path: "sources.lock", text: text)) else { return }
    let again = try? SourcesLock.read(SourceFile(path: "sources.lock", text: lock.text))
    precondition(again == lock, "the parser does not read what the writer wrote")
}
