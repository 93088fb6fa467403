import TestSupport
import Testing

@Suite("Golden files are equal on all machines")
struct GoldenRedactionTests {
    @Test(
        "A file in the directory of temporary files, wherever that is",
        arguments: ["/tmp", "/tmp/nested", "/var/folders/4z/k1_x/T", "/home/me/.tmp"])
    func temporaryFile(_ directory: String) {
        let text = "error: '\(directory)/lane-test.Qx1z9w/bad.tar.gz' and '/private\(directory)/lane-fixtures-0'"
        #expect(redacted(text, temporary: directory) == "error: '<tmp>/bad.tar.gz' and '<tmp>'")
    }

    @Test("Dates, hashes, processes and times")
    func others() {
        let text = "2026-11-28 at 0123456789ab (process 41) after 1.2 s and 3ms"
        #expect(redacted(text) == "<date> at <hash> (process <id>) after <time> and <time>")
        #expect(redacted("+++\nindex 41b57c3..74ce93d 100644") == "+++\nindex <hash>..<hash> 100644")
    }
}
