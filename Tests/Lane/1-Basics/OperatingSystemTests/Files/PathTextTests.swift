import CLibrary
import OperatingSystem
import TestSupport
import Testing

@Suite struct PathTextTests {
    private static let pieces: [[UInt8]] = [
        [0x61], [0x2E], [0xC3, 0xA9], [0xE2, 0x82, 0xAC], [0xF0, 0x9F, 0x98, 0x80], [0x65, 0xCC, 0x81],
        [0xC3], [0x80], [0xFF], [0xE9], [0xED, 0xA0, 0x80], [0xF0, 0x9F], [0xEE, 0xBE, 0x80], [0xEE, 0xBF, 0xBF],
        [0xEE, 0xBE], [0xEE, 0xBD, 0xBF], [0xEF, 0xBF, 0xBD],
    ]

    @Test func pathsRoundTrip() {
        let names = Generator<[UInt8]>.element(of: Self.pieces).array(count: 1...12).map { $0.flatMap { $0 } }
        checkProperty("a name's text has its bytes", names, cases: 2_000) { bytes in
            let text = String(pathBytes: bytes)
            guard String(validating: bytes, as: UTF8.self) == nil || text.readablePath.utf8.elementsEqual(bytes) else {
                return false
            }
            return try expectEqual(text.pathBytes, bytes, "bytes")
        }
        #expect(String(pathBytes: Array("caf\u{E9}".utf8)) == "caf\u{E9}")
        #expect(String(pathBytes: [0x61, 0xE9]).readablePath == "a\u{FFFD}")
    }

    @Test(.enabled(if: fileExists("/proc"), "the file system has UTF-8 names only"))
    func everyOperationFindsInvalidUTF8Names() throws {
        let directory = try TemporaryDirectory()
        let name = String(pathBytes: [0x61, 0xE9, 0xEE, 0xBE, 0x80])
        let path = "\(directory.path)/\(name)"
        #expect(withSystemPath(path) { mkdir($0, 0o755) } == 0)
        #expect(try listDirectory(directory.path) == [name])
        #expect(fileKind(path) == .directory && isDirectory(path) && fileExists(path) && resolvedPath(path) == path)
        let link = "\(path)/\(name)"
        #expect(withSystemPath(link) { path in withSystemPath(name) { symlink($0, path) } } == 0)
        #expect(try linkTarget(link) == name)
        #expect(withSystemPath(link) { unlink($0) } == 0)
        let descriptor = withSystemPath(link) { open($0, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644) }
        #expect(descriptor >= 0)
        close(descriptor)
        #expect(try readFile(link).isEmpty && fileSize(link) == 0)
        try removeTree(path)
        #expect(try listDirectory(directory.path).isEmpty)
    }
}
