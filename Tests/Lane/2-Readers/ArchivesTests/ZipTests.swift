import Archives
import TestSupport
import Testing

@Suite struct ZipTests {
    @Test(.enabled(if: hasTool("unzip"), "needs unzip"))
    func systemUnzipReadsIt() throws {
        let directory = try TemporaryDirectory()
        let file = try ArchiveContents(TarGzipTests.samples)
            .writeZip(to: "\(directory.path)/a.zip", modified: TarGzipTests.time)
        #expect(file.size > 0)
        _ = try shell("unzip -qt a.zip", in: directory.path)
        #expect(
            try shell("unzip -q a.zip && p/bin/tool && cat p/lib/current && cat p/gr*", in: directory.path)
                == "here\nread me\nhello")
        #expect(try shell("unzip -Z -T a.zip p/README", in: directory.path).contains("20231114.221320"))
    }

    @Test func bytesAreReproducible() throws {
        let directory = try TemporaryDirectory()
        let contents = try ArchiveContents(TarGzipTests.samples.reversed())
        let one = try contents.writeZip(to: "\(directory.path)/1.zip", modified: 1)
        let other = try ArchiveContents(TarGzipTests.samples).writeZip(to: "\(directory.path)/2.zip", modified: 1)
        #expect(one.sha256 == other.sha256)
    }
}
