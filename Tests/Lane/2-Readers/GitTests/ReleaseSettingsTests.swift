import Git
import Testing

@Suite struct ReleaseSettingsTests {
    /// The last value counts, and a name without a value is true.
    @Test(
        arguments: [
            ("tag.gpgsign\ntrue", "tag.gpgSign"), ("tag.gpgsign\nyes\0tag.gpgsign\noff", nil),
            ("tag.gpgsign", "tag.gpgSign"),
            ("tag.forcesignannotated\nON", "tag.forceSignAnnotated"), ("tag.gpgsign\n0", nil),
            ("tag.gpgsign\n1", "tag.gpgSign"),
            ("tag.gpgsign\n", nil), ("", nil),
        ] as [(String, String?)])
    func signatures(output: String, setting: String?) {
        #expect(ReleaseSettings(Array("\(output)\0".utf8)).signature == setting)
    }

    @Test(
        arguments: [
            ("branch.main.remote\nup\0remote.origin.url\nx\0remote.up.url\ny", "origin"),
            ("branch.main.remote\nup\0remote.up.url\ny\0remote.x.url\nx", "up"), ("remote.up.url\nx", "up"),
            ("remote.a.url\nx\0remote.b.url\ny", nil),
            ("branch.main.pushremote\nmine\0remote.pushdefault\nx\0remote.origin.url\nx", "mine"),
            ("remote.pushdefault\nmine\0remote.origin.url\nx", "mine"),
            ("branch.Main.remote\nup\0remote.origin.url\nx", "origin"),
            ("branch.main.remote\n.\0remote.origin.url\nx", "origin"), ("branch.main.remote\n.", nil),
            ("remote.origin.url\n", nil), ("", nil),
        ] as [(String, String?)])
    func remotes(output: String, remote: String?) {
        #expect(ReleaseSettings(Array("\(output)\0".utf8)).remote(of: "main") == remote)
    }
}
