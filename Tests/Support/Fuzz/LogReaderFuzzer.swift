// Built by libFuzzer's driver and not by the package; ci/fuzz tells how.
import Events
import ToolOutput

/// Any bytes, in any chunks, are read without a trap, and a test that begins also ends.
@_cdecl("LLVMFuzzerTestOneInput")
public func readLog(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = UnsafeRawBufferPointer(start: start, count: count)
    let cut = count > 0 ? Int(start[0]) * count / 256 : 0
    var open: Set<TestID> = []
    func note(_ event: LaneEvent.Kind) {
        if case .test(.started(let test, _, _)) = event { open.insert(test) }
        if case .test(.ended(let result)) = event { open.remove(result.test) }
    }
    var reader = LogReader(root: "/src/Demo", namesPassing: count.isMultiple(of: 2))
    reader.consume(UnsafeRawBufferPointer(rebasing: bytes[..<cut]), emit: note)
    reader.consume(UnsafeRawBufferPointer(rebasing: bytes[cut...]), emit: note)
    reader.finish(emit: note)
    precondition(open.isEmpty, "a test began and did not end")
    guard count > 0, start[0] == UInt8(ascii: "{") else { return 0 }
    var events = SwiftTestingEventParser(root: "/src/Demo")
    events.consume(bytes) { _ in }
    events.finish { _ in }
    return 0
}
