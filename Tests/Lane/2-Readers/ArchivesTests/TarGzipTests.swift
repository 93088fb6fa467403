import Archives
import CLibrary
import TestSupport
import Testing

@Suite struct TarGzipTests {
    static let time: Int64 = 1_700_000_000

    static let samples = [
        ArchiveEntry("p/bin/tool", .bytes(Array("#!/bin/sh\necho here\n".utf8), isExecutable: true)),
        ArchiveEntry("p/README", .bytes(Array("read me\n".utf8), isExecutable: false)),
        ArchiveEntry("p/empty", .bytes([], isExecutable: false)),
        ArchiveEntry("p/lib/current", .link("../README")),
        ArchiveEntry("p/directory", .directory),
        ArchiveEntry("p/grüße", .bytes(Array("hello".utf8), isExecutable: false)),
        ArchiveEntry("p/" + String(repeating: "d/", count: 60) + "deep", .bytes([1], isExecutable: false)),
        ArchiveEntry("p/" + String(repeating: "n", count: 150), .bytes([2], isExecutable: false)),
        ArchiveEntry("p/far", .link(String(repeating: "d/", count: 60) + "deep")),
    ]

    @Test func systemTarReadsIt() throws {
        let directory = try TemporaryDirectory()
        let contents = try ArchiveContents(Self.samples)
        let file = try contents.writeTarGzip(to: "\(directory.path)/a.tar.gz", modified: Self.time)
        #expect(try shell("gzip -t a.tar.gz && sha256sum < a.tar.gz", in: directory.path).hasPrefix("\(file.sha256)"))
        let names = try shell("tar tzf a.tar.gz --quoting-style=literal", in: directory.path)
            .split(separator: "\n").map(String.init)
        #expect(names == contents.entries.map { $0.content == .directory ? $0.path + "/" : $0.path })
        #expect(
            try shell("tar xzf a.tar.gz && p/bin/tool && cat p/README p/lib/current", in: directory.path)
                == "here\nread me\nread me\n")
        #expect(
            try shell("tar tvzf a.tar.gz --numeric-owner --utc p/README", in: directory.path)
                == "-rw-r--r-- 0/0               8 2023-11-14 22:13 p/README\n")
        #expect(
            try shell("head -c 10 a.tar.gz | od -An -tx1 | cut -c1-24", in: directory.path)
                == " 1f 8b 08 00 00 00 00 00\n"
        )
    }

    @Test func roundTrip() throws {
        let directory = try TemporaryDirectory()
        _ = try ArchiveContents(Self.samples).writeTarGzip(to: "\(directory.path)/a.tar.gz", modified: Self.time)
        try mkdirs("\(directory.path)/out")
        try TarGzip.unpack("\(directory.path)/a.tar.gz", into: "\(directory.path)/out")
        _ = try ArchiveContents.tree(at: "\(directory.path)/out")
            .writeTarGzip(to: "\(directory.path)/b.tar.gz", modified: Self.time)
        #expect(try contents(of: "\(directory.path)/a.tar.gz") == contents(of: "\(directory.path)/b.tar.gz"))
    }

    /// The bytes don't depend on the order of creation, directory, umask, time zone or number of threads.
    @Test func bytesDependOnlyOnContent() throws {
        let text = (0..<400_000).map { "line \($0 &* 2_654_435_761 % 1_000_003)\n" }.joined()
        var digests: Set<SHA256Digest> = []
        for (index, mask) in [mode_t(0o022), 0o077].enumerated() {
            let directory = try TemporaryDirectory()
            let before = umask(mask)
            defer { umask(before) }
            try directory.write(text, to: "in/\(index == 0 ? "b/large" : "a/small")", mode: 0o666)
            try directory.write(text, to: "in/b/large", mode: 0o640)
            try directory.write("x", to: "in/a/small", mode: 0o600)
            try directory.write("y", to: "in/a/run", mode: 0o700)
            setenv("TZ", index == 0 ? "Asia/Tokyo" : "America/New_York", 1)
            defer { unsetenv("TZ") }
            for threads in 1...3 {
                let file = try ArchiveContents.tree(at: "\(directory.path)/in")
                    .writeTarGzip(to: "\(directory.path)/\(threads).tar.gz", modified: Self.time, threads: threads)
                digests.insert(file.sha256)
            }
        }
        #expect(digests.count == 1)
        #expect(text.utf8.count > 4 << 20)
    }

    @Test func filesLargerThanAChunk() throws {
        let directory = try TemporaryDirectory()
        let bytes = (0..<(5 << 20)).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
        _ = try ArchiveContents([ArchiveEntry("big", .bytes(bytes, isExecutable: false))])
            .writeTarGzip(to: "\(directory.path)/a.tar.gz", modified: 0)
        #expect(
            try shell("tar xzOf a.tar.gz big | sha256sum", in: directory.path).hasPrefix("\(SHA256.digest(of: bytes))"))
    }

    @Test func canonicallyEquivalentNamesAreTwoFiles() throws {
        let directory = try TemporaryDirectory()
        let names = ["cafe\u{301}", "caf\u{E9}"]
        for name in names { try directory.write(name, to: "in/\(name)") }
        _ = try ArchiveContents.tree(at: "\(directory.path)/in").writeTarGzip(
            to: "\(directory.path)/a.tar.gz", modified: 0)
        let unpacked = try shell("mkdir out; tar xzf a.tar.gz -C out; LC_ALL=C; cat out/*", in: directory.path)
        #expect(Array(unpacked.utf8) == Array(names.joined().utf8))
    }

    @Test func aFailedWriteKeepsTheOldFile() throws {
        let directory = try TemporaryDirectory()
        try directory.write("old", to: "a.tar.gz")
        let contents = try ArchiveContents([
            ArchiveEntry("a", .file("\(directory.path)/missing", isExecutable: false))
        ])
        #expect(throws: ArchiveError.self) {
            try contents.writeTarGzip(to: "\(directory.path)/a.tar.gz", modified: 0)
        }
        #expect(try entries(of: directory.path) == ["a.tar.gz"])
        #expect(try directory.read("a.tar.gz") == "old")
    }

    @Test(arguments: ["", "/etc/passwd", "a/../b", "..", "a//b", "./a", "a/", "a/../\u{301}b"])
    func unsafePathsAreRejected(path: String) {
        #expect(throws: ArchiveError.unsafePath(path)) { try ArchiveContents([ArchiveEntry(path, .directory)]) }
    }

    @Test(arguments: ["/etc/passwd", "../../x", "b/../../..", "/\u{301}x", "../\u{301}/../../x"])
    func linksOutOfTheArchiveAreRejected(target: String) {
        #expect(throws: ArchiveError.unsafeLink("a/l", target: target)) {
            try ArchiveContents([ArchiveEntry("a/l", .link(target))])
        }
    }
}

private func mkdirs(_ path: String) throws {
    guard mkdir(path, 0o755) == 0 else { throw POSIXFailure("mkdir", errno) }
}
