import Archives
import TestSupport
import Testing

@Suite struct SHA256Tests {
    /// The vectors of FIPS 180-4's examples and the empty message.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func vectors(text: String, digest: String) {
        #expect(SHA256.digest(of: Array(text.utf8)).description == digest)
    }

    @Test func chunkSizesMakeNoDifference() {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        var hash = SHA256()
        for start in stride(from: 0, to: bytes.count, by: 7) {
            bytes[start..<min(start + 7, bytes.count)].withUnsafeBytes { hash.update($0) }
        }
        #expect(hash.digest() == SHA256.digest(of: bytes))
    }

    @Test func digestOfAFile() throws {
        let directory = try TemporaryDirectory()
        let text = String(repeating: "lane ", count: 100_000)
        let path = try directory.write(text, to: "long.txt")
        #expect(try SHA256.digest(ofFile: path) == SHA256.digest(of: Array(text.utf8)))
    }

    @Test func aMissingFileIsAnError() {
        #expect(throws: ArchiveError.self) { try SHA256.digest(ofFile: "/nonexistent/file") }
    }
}
