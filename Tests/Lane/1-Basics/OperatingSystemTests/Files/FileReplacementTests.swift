import OperatingSystem
import TestSupport
import Testing

@Suite struct FileReplacementTests {
    @Test(
        "A name may have the maximum length, and bytes that are not UTF-8",
        arguments: [
            Array(repeating: UInt8(ascii: "x"), count: 255), [0x61, 0xFF],
        ])
    func names(_ bytes: [UInt8]) throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/\(String(pathBytes: bytes))"
        for text in ["old", "new"] {
            let file = try FileReplacement(path)
            try file.append(Array(text.utf8))
            try file.commit()
            #expect(try readText(path) == text)
        }
        #expect(try listDirectory(directory.path).map(\.pathBytes) == [bytes])
    }

    @Test func withoutACommitTheFileIsUnchanged() throws {
        let directory = try TemporaryDirectory()
        try directory.write("old", to: "file")
        do {
            let file = try FileReplacement("\(directory.path)/file")
            try file.append(Array("new".utf8))
        }
        #expect(try directory.read("file") == "old")
        #expect(try listDirectory(directory.path) == ["file"])
    }
}
