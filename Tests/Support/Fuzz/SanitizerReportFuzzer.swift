// Built by libFuzzer's driver and not by the package; ci/fuzz tells how.
import Events
import ToolOutput

/// Any bytes are read without a trap, and in any two pieces as in one; what is found has words.
@_cdecl("LLVMFuzzerTestOneInput")
public func readReports(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = UnsafeRawBufferPointer(start: start, count: count)
    let cut = count > 0 ? Int(start[0]) * count / 256 : 0
    let reports = read([bytes])
    precondition(
        reports
            == read([UnsafeRawBufferPointer(rebasing: bytes[..<cut]), UnsafeRawBufferPointer(rebasing: bytes[cut...])]),
        "in pieces other reports are found")
    for report in reports {
        precondition(report.text.contains("Sanitizer:"), "a report without its words")
        precondition(Set(report.places).isSubset(of: report.ways), "a place that is on no way")
    }
    return 0
}

private func read(_ pieces: [UnsafeRawBufferPointer]) -> [SanitizerReport] {
    var found: [SanitizerReport] = []
    var parser = SanitizerOutputParser(root: "/src/S")
    for piece in pieces { parser.consume(piece) { found.append($0) } }
    parser.finish { found.append($0) }
    return found
}
