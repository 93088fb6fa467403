import Testing

@testable import StepActions

@Suite struct LineSearchTests {
    @Test("The line is found in any chunks, and stays found", arguments: 1...12)
    func chunks(size: Int) {
        let search = LineSearch("ready on")
        let output = Array("starting\nserver \u{1B}[32mready\u{1B}[0m on 80\n".utf8)
        for start in stride(from: 0, to: output.count, by: size) {
            search.receive(Array(output[start..<min(start + size, output.count)]))
        }
        #expect(search.isFound)
        search.receive([UInt8](repeating: UInt8(ascii: "x"), count: 100_000))
        #expect(search.isFound)
    }

    @Test func twoLinesAreNotOne() {
        let search = LineSearch("ready on")
        search.receive(Array("ready".utf8))
        search.receive(Array("\n on".utf8))
        #expect(!search.isFound)
    }
}
