import Archives
import TestSupport
import Testing

/// Archives that try to write outside the directory, created with the system's tools.
@Suite struct HostileArchiveTests {
    /// Scripts that create the archive `evil.tar.gz` in a directory that contains `in/`.
    static let scripts: [(name: String, script: String)] = [
        ("absolute", "tar czPf evil.tar.gz \"$PWD/in/a\""),
        ("dots", "cd in && tar czPf ../evil.tar.gz ../outside"),
        ("link out", "ln -s ../../etc in/l && tar czf evil.tar.gz in"),
        ("absolute link", "ln -s /etc in/l && tar czf evil.tar.gz in"),
        (
            "through a link",
            "ln -s sub in/l && mkdir in/sub && tar cf evil.tar in && rm in/l && mkdir in/l && echo x > in/l/f"
                + " && tar rf evil.tar in/l/f && gzip evil.tar"
        ),
        (
            "link through a link",
            "mkdir -p in/d/b && ln -s . in/d/b/l && ln -s d/b/l/../../../.. in/y && tar czf evil.tar.gz in"
        ),
        ("hard link out", "ln in/a in/h && tar czf evil.tar.gz --transform 's,^in/[ah],../outside,hRS' in/h in/a"),
        ("pipe", "mkfifo in/p && tar czf evil.tar.gz in"),
        ("twice", "tar cf evil.tar in/a && tar rf evil.tar in/a && gzip evil.tar"),
        (
            "cut short",
            "head -c 100000 /dev/urandom > in/r; tar czf whole.tar.gz in; head -c 5000 whole.tar.gz > evil.tar.gz"
        ),
        ("a record that is longer than all", patched("9223372036854775807 path=in/", for: "path=in/n\\{16\\}")),
        ("a record that ends with its name", patched("4 a=xxxx", for: "path")),
        ("not gzip", "echo hello > evil.tar.gz"),
        ("not tar", "head -c 2000 /dev/urandom | gzip > evil.tar.gz"),
        ("empty", ": > evil.tar.gz"),
    ]

    /// Returns a script for an archive with an extended header in which the length of a record and the text after it
    /// are replaced.
    private static func patched(_ text: String, for old: String) -> String {
        "touch in/\(String(repeating: "n", count: 150)) && tar --format=pax -cf whole.tar in"
            + " && LC_ALL=C sed 's,[0-9][0-9]* \(old),\(text),' whole.tar | gzip > evil.tar.gz"
    }

    @Test(arguments: scripts.map(\.name))
    func isRejectedBeforeTheFirstWrite(name: String) throws {
        let directory = try TemporaryDirectory()
        try directory.write("a", to: "in/a")
        try directory.write("outside", to: "outside")
        let script = try #require(Self.scripts.first { $0.name == name }).script
        _ = try shell("mkdir out; \(script)", in: directory.path)
        #expect(throws: ArchiveError.self) {
            try TarGzip.unpack("\(directory.path)/evil.tar.gz", into: "\(directory.path)/out")
        }
        #expect(try entries(of: "\(directory.path)/out") == [])
    }

    @Test func aDecompressionBombEndsAtTheLimit() throws {
        let directory = try TemporaryDirectory()
        _ = try shell("head -c 50000000 /dev/zero > zero; tar czf bomb.tar.gz zero", in: directory.path)
        #expect(throws: ArchiveError.tooLarge("the unpacked archive")) {
            try TarGzip.unpack("\(directory.path)/bomb.tar.gz", into: directory.path, limit: 10_000_000)
        }
    }

    /// Reads archives of other tools with everything that is allowed: long names in GNU and pax format, and links.
    @Test(arguments: ["gnu", "pax", "ustar"])
    func harmlessArchivesAreRead(format: String) throws {
        let directory = try TemporaryDirectory()
        let long = format == "ustar" ? "n" : String(repeating: "n", count: 150)
        _ = try shell(
            "mkdir out in; echo 1 > in/\(long); chmod 755 in/\(long); ln -s \(long) in/l; ln in/\(long) in/h;"
                + " tar --format=\(format) -czf a.tar.gz in",
            in: directory.path)
        try TarGzip.unpack("\(directory.path)/a.tar.gz", into: "\(directory.path)/out")
        #expect(try shell("cat out/in/l out/in/h && test -x out/in/\(long)", in: directory.path) == "1\n1\n")
    }

    /// Canonically equivalent names, and a link through another link.
    @Test func ourArchivesCanBeUnpacked() throws {
        let directory = try TemporaryDirectory()
        try directory.write("1", to: "in/v1/caf\u{E9}")
        try directory.write("2", to: "in/v1/cafe\u{301}")
        _ = try shell(
            "mkdir out; ln -s v1 in/now; ln -s now/../v1/caf\u{E9} in/mine; ln -s now in/again", in: directory.path)
        let archive = "\(directory.path)/a.tar.gz"
        _ = try ArchiveContents.tree(at: "\(directory.path)/in").writeTarGzip(to: archive, modified: 0)
        try TarGzip.unpack(archive, into: "\(directory.path)/out")
        #expect(try shell("cat out/mine out/v1/caf*; ls out/again/ | wc -l", in: directory.path) == "1212\n")
    }
}
