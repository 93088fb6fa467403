import TestSupport
import Testing
import ToolOutput

@Suite struct LineSplitterTests {
    static func lines(_ bytes: [UInt8], chunk: Int, longest: Int = 1 << 18) -> [String] {
        var splitter = LineSplitter(longest: longest)
        var lines: [String] = []
        func add(_ line: UnsafeRawBufferPointer, _ ending: LineEnding) {
            lines.append(
                "\(line.count > 100 ? "\(line.count) bytes" : String(decoding: line, as: UTF8.self)) \(ending)")
        }
        for chunk in bytes.chunks(of: chunk) { chunk.withUnsafeBytes { splitter.consume($0, line: add) } }
        splitter.finish(line: add)
        return lines
    }

    @Test(arguments: [1, 2, 3, 5, 100]) func linesHaveTheirTerminators(chunk: Int) {
        let lines = Self.lines(Array("one\ntwo\r\n\nthree\rfour\r\r\nfive".utf8), chunk: chunk)
        #expect(
            lines == [
                "one newline", "two returnAndNewline", " newline", "three carriageReturn", "four carriageReturn",
                " returnAndNewline", "five end",
            ])
    }

    @Test func returnAtTheEnd() {
        #expect(Self.lines(Array("one\r".utf8), chunk: 1) == ["one carriageReturn"])
    }

    @Test(arguments: [1000, 4096, 9000, 1 << 20]) func longLinesAreSplitBeforeTheirEnd(chunk: Int) {
        let bytes = [UInt8](repeating: 0x61, count: 30_000) + Array("\nnext\n".utf8)
        let lines = Self.lines(bytes, chunk: chunk, longest: 8192)
        #expect(lines == ["8192 bytes cut", "8192 bytes cut", "8192 bytes cut", "5424 bytes newline", "next newline"])
    }

    @Test func anyChunksAreComplete() {
        let byte = Generator<UInt8>.element(of: [0x0A, 0x0D, 0x61, 0x00, 0xFF])
        let input = zip(byte.array(), Generator<Int>.integer(in: 1...9))
        checkProperty("lines do not depend on the chunks", input, cases: 300) { input in
            let (bytes, chunk) = input
            var splitter = LineSplitter()
            var rebuilt: [UInt8] = []
            func add(_ line: UnsafeRawBufferPointer, _ ending: LineEnding) {
                rebuilt += line
                switch ending {
                case .newline: rebuilt += [0x0A]
                case .returnAndNewline: rebuilt += [0x0D, 0x0A]
                case .carriageReturn: rebuilt += [0x0D]
                case .cut, .end: break
                }
            }
            for chunk in bytes.chunks(of: chunk) { chunk.withUnsafeBytes { splitter.consume($0, line: add) } }
            splitter.finish(line: add)
            guard try expectEqual(rebuilt, bytes) else { return false }
            return Self.lines(bytes, chunk: chunk) == Self.lines(bytes, chunk: bytes.count + 1)
        }
    }
}
