import ActionFixtures
import Expressions
import LaneModel
import OperatingSystem
import TestSupport
import Testing
import Text

@testable import Packaging

@Suite("Checksums are signed by the key of tags", .startsPrograms, .enabled(if: hasTool("ssh-keygen")))
struct SignatureTests {
    private static let base = ReleasedFiles.base

    /// Configures git for SSH signatures as users do, with a key and a file of allowed signers.
    static let ssh = """
        mkdir ../keys; ssh-keygen -q -t ed25519 -N '' -C ada -f ../keys/ada
        git config gpg.format ssh; git config user.signingKey "$PWD/../keys/ada"; git config tag.gpgSign true
        echo "ada@example.org $(cut -d' ' -f1,2 ../keys/ada.pub)" > ../keys/allowed
        git config gpg.ssh.allowedSignersFile ../keys/allowed
        """

    private func allowed(_ files: ReleasedFiles) -> SignatureCheck.Trust {
        .allowedSigners("\(files.fixture.temporary.path)/keys/allowed")
    }

    @Test func aSignedReleaseIsVerified() throws {
        let files = try ReleasedFiles(signing: Self.ssh)
        let report = try files.verify()
        #expect(report.problems == [])
        #expect(report.rows[1].detail.hasPrefix("'\(Self.base).sha256' is signed by ada@example.org (ED25519 SHA256:"))
        #expect(try files.verify(file: "\(Self.base).tar.gz", trust: allowed(files)).problems == [])
        // The command of the guide.
        let check = "ssh-keygen -Y verify -f ../../keys/allowed -I ada@example.org -n file -s $B.sha256.sig < $B.sha256"
        #expect(try files.shell(check).hasPrefix("Good \"file\" signature for ada@example.org"))
    }

    /// A change, and the sentence about it.
    static let faults: [(script: String, sentence: String)] = [
        (
            "printf x >> $B.tar.gz; \(ReleasedFiles.again.replacing("$B*", with: "$B.tar* $B.a* $B.[cps]*n"))",
            "'<B>.sha256' was changed after it was signed: '<B>.sha256.sig' does not match"
        ),
        ("echo junk > $B.sha256.sig", "'<B>.sha256.sig' is no SSH signature of a file: "),
        (": > $B.sha256.sig", "'<B>.sha256.sig' is no SSH signature of a file: "),
        (
            "sed -i 's/^ada@example.org/& valid-before=\"20200101\"/' ../../keys/allowed",
            "'<B>.sha256' is signed by the key ED25519 SHA256:<K>, which expired on 2020-01-01"
        ),
        (
            "sed -i 's/^ada@example.org/& valid-after=\"20990101\"/' ../../keys/allowed",
            "'<B>.sha256' is signed by the key ED25519 SHA256:<K>, which is valid from 2099-01-01"
        ),
        (
            "sed -i 's/^ada@example.org/& namespaces=\"git\"/' ../../keys/allowed",
            "'<B>.sha256' is signed by the key ED25519 SHA256:<K>, which is not allowed to sign files"
        ),
        (
            "ssh-keygen -q -t ed25519 -N '' -f ../../keys/eve; echo \"eve $(cut -d' ' -f1,2 ../../keys/eve.pub)\" > ../../keys/allowed",
            "'<B>.sha256' is signed by the unknown key ED25519 SHA256:<K>\nhint: "
        ),
        (": > ../../keys/allowed", "'<B>.sha256' is signed by the unknown key ED25519 SHA256:<K>\nhint: "),
        ("echo x > y; sha256sum y > y.sha256", "'y' is in no signed checksum file"),
        ("rm ../../keys/allowed", "there is no file of allowed signers '<D>/keys/allowed'"),
        ("rm ../../keys/allowed; mkdir ../../keys/allowed", "could not read '<D>/keys/allowed': "),
        (
            "cp ../../keys/ada.pub ../../keys/allowed",
            "'<D>/keys/allowed' is no file of allowed signers: expected lines such as 'ada@example.org ssh-ed25519 AAAA…', found none, for example in line 1"
        ),
        ("cp ../../keys/ada ../../keys/allowed", "'<D>/keys/allowed' is no file of allowed signers: expected lines "),
        (
            "echo '# nobody' > ../../keys/allowed",
            "'<B>.sha256' is signed by the unknown key ED25519 SHA256:<K>\nhint: "
        ),
        (
            "printf ' # nobody\\n' > ../../keys/allowed",
            "'<B>.sha256' is signed by the unknown key ED25519 SHA256:<K>\nhint: "
        ),
        (
            "ssh-keygen -q -k -f ../../keys/krl ../../keys/ada.pub; git config gpg.ssh.revocationFile ../keys/krl",
            "'<B>.sha256' is signed by the key ED25519 SHA256:<K>, which is revoked in '<D>/keys/krl'"
        ),
        (
            "git config gpg.ssh.revocationFile ../keys/ada.pub",
            "'<B>.sha256' is signed by the key ED25519 SHA256:<K>, which is revoked in '<D>/keys/ada.pub'"
        ),
        (
            "git config gpg.ssh.revocationFile ../keys/none", "there is no file of revoked keys '<D>/keys/none'"
        ),
        (
            "git config gpg.ssh.revocationFile ../keys/ada",
            "'<D>/keys/ada' is no file of revoked keys: expected lines such as 'ssh-ed25519 AAAA…', found none, for example in line 1"
        ),
        (
            "echo ssh-ed25519 AAAA > ../../keys/krl; git config gpg.ssh.revocationFile ../keys/krl",
            "'<D>/keys/krl' is no file of revoked keys: invalid format"
        ),
    ]

    @Test(arguments: ["s/ /\\t/g", "s/^/ /", "1i\\ \\t# Ada"]) func keysAreReadAsBySSH(change: String) throws {
        let files = try ReleasedFiles(signing: Self.ssh)
        try files.shell("sed -i '\(change)' ../../keys/allowed")
        #expect(try files.verify().problems == [])
    }

    @Test func aKeyBesideRevokedOnesIsTrusted() throws {
        let files = try ReleasedFiles(signing: Self.ssh)
        try files.fixture.shell(
            """
            ssh-keygen -q -t ed25519 -N '' -f ../keys/eve; ssh-keygen -q -k -f ../keys/krl ../keys/eve.pub
            git config gpg.ssh.revocationFile ../keys/krl
            """)
        #expect(try files.verify().problems == [])
    }

    @Test func pathsOfTheConfigurationBeginAtTheTop() throws {
        let files = try ReleasedFiles(signing: Self.ssh)
        #expect(try files.verify(from: "dist").problems == [])
        try files.fixture.shell(
            "ssh-keygen -q -k -f ../keys/krl ../keys/ada.pub; git config gpg.ssh.revocationFile ../keys/krl")
        #expect(try files.verify(from: "dist").problems.first?.contains(", which is revoked in '") == true)
    }

    @Test(arguments: faults) func everyFaultHasASentence(script: String, sentence: String) throws {
        let files = try ReleasedFiles(signing: Self.ssh)
        let key = try files.shell("ssh-keygen -l -f ../../keys/ada.pub").split(separator: " ")[1].dropFirst(7)
        try files.shell(script)
        let expected = sentence.replacing("<B>", with: Self.base).replacing("<K>", with: String(key))
            .replacing("<D>", with: files.fixture.temporary.path)
        for trust in [SignatureCheck.Trust.configured, allowed(files)] {
            let report = try files.verify(trust: trust)
            #expect(report.problems.contains { $0.hasPrefix(expected) }, "\(report.problems)")
        }
        // A signature alone stands for the file that it signs.
        if script.contains(".sig") {
            #expect(try files.verify(file: "\(Self.base).sha256.sig").problems.count == 1)
        }
    }

    @Test func allowedSignersRequireASignature() throws {
        let files = try ReleasedFiles()
        try files.fixture.shell(Self.ssh)
        #expect(try files.verify().problems == [])
        #expect(
            try files.verify(trust: allowed(files)).problems
                == ["no checksum file is signed: expected '\(Self.base).sha256.sig'"])
        try files.shell("rm *.sha256")
        let file = "\(Self.base).tar.gz"
        #expect(try files.verify(file: file).problems == [])
        #expect(try files.verify(file: file, trust: allowed(files)).problems == ["no checksum file is signed"])
    }

    @Test func withoutConfiguredKeysASignerIsUnknown() throws {
        let files = try ReleasedFiles(signing: Self.ssh)
        try files.fixture.git("config --unset gpg.ssh.allowedSignersFile")
        #expect(
            try files.verify().problems.first?.hasPrefix("'\(Self.base).sha256' is signed by the unknown key ") == true)
    }

    @Test func aKeyThatCannotSignIsNamed() throws {
        let failure = #expect(throws: OperationFailure.self) {
            try ReleasedFiles(signing: "\(Self.ssh); rm ../keys/ada")
        }
        #expect(
            failure?.message.hasPrefix("'\(Self.base).sha256' could not be signed: ") == true,
            "\(failure?.message ?? "")")
        #expect(failure?.message.hasSuffix("\nhint: git config user.signingKey") == true)
        let missing = #expect(throws: OperationFailure.self) {
            try ReleasedFiles(signing: "\(Self.ssh); git config --unset user.signingKey")
        }
        #expect(missing?.message == "git signs tags, but no key is configured\nhint: git config user.signingKey")
    }

    @Test func withoutSignedTagsNothingIsSigned() throws {
        let files = try ReleasedFiles(signing: "\(Self.ssh); git config tag.gpgSign false")
        #expect(!fileExists("\(files.directory)/\(Self.base).sha256.sig"))
        #expect(try files.verify().problems == [])
    }

    @Test func theChecksumActionSignsItsFiles() throws {
        let fixture = try GitFixture("sums")
        try fixture.commit("Begin")
        try fixture.shell("\(Self.ssh); mkdir -p dist; echo a > dist/a; echo b > dist/b")
        let settings: [String: Value] = ["into": .string("dist/SHA256SUMS"), "sign": .bool(true)]
        for _ in 1...2 {
            try fixture.run(ChecksumAction(), settings)
            #expect(try fixture.shell("cut -c 67- dist/SHA256SUMS") == "a\nb")
            let manifests = ReleaseManifest.all(in: "\(fixture.path)/dist")
            #expect(manifests.flatMap(\.manifest.files).map(\.name) == ["SHA256SUMS", "SHA256SUMS.sig", "a", "b"])
        }
        try fixture.run(ChecksumAction(), ["into": .string("dist/SHA256SUMS"), "verify": .bool(true)])
        #expect(
            try fixture.shell(
                "cd dist; ssh-keygen -Y verify -f ../../keys/allowed -I ada@example.org -n file -s SHA256SUMS.sig < SHA256SUMS"
            ).hasPrefix("Good"))
        // Without a signature of the new content, none remains.
        try fixture.shell("echo more > dist/more")
        try fixture.run(ChecksumAction(), ["into": .string("dist/SHA256SUMS")])
        #expect(!fileExists("\(fixture.path)/dist/SHA256SUMS.sig"))
    }
}

@Suite("Checksums are signed by GnuPG as tags are", .startsPrograms, .enabled(if: hasTool("gpg")))
struct GnuPGSignatureTests {
    private static let base = ReleasedFiles.base

    /// A program that runs GnuPG with its own directory of keys. Its agent ends with the directory.
    static let gpg = """
        mkdir -m 700 ../gnupg
        printf '#!/bin/sh\\nexec gpg --homedir %s "$@"\\n' "$PWD/../gnupg" > ../gpg.sh; chmod +x ../gpg.sh
        ../gpg.sh --batch --quiet --passphrase '' --quick-gen-key 'Ada Example <ada@example.org>' ed25519 sign 1d > /dev/null 2>&1
        git config gpg.program "$PWD/../gpg.sh"; git config tag.forceSignAnnotated true
        """

    private func end(_ files: ReleasedFiles) {
        _ = try? files.fixture.shell("gpgconf --homedir ../gnupg --kill all; true")
    }

    @Test func signaturesOfTheKeyringAreVerified() throws {
        let files = try ReleasedFiles(signing: Self.gpg)
        defer { end(files) }
        let report = try files.verify()
        #expect(report.problems == [])
        #expect(report.rows[1].detail.hasPrefix("'\(Self.base).sha256' is signed by Ada Example <ada@example.org> ("))
        // An SSH key is required.
        let trust = SignatureCheck.Trust.allowedSigners("/dev/null")
        #expect(
            try files.verify(trust: trust).problems == [
                "no checksum file is signed: expected '\(Self.base).sha256.sig'"
            ])
    }

    @Test(arguments: [
        (
            "sed -i 's/exec gpg/& --faked-system-time 20990101T000000/' ../gpg.sh",
            "'<B>.sha256' is signed by the key of Ada Example <ada@example.org> (<K>), which expired"
        ),
        (
            "sed -i 's,/../gnupg,/../empty,' ../gpg.sh; mkdir -m 700 ../empty",
            "'<B>.sha256' is signed by the unknown key <K>\nhint: import the key if you trust it: gpg --import"
        ),
        (
            "printf x >> dist/<B>.tar.gz; cd dist; sha256sum <B>.tar.gz > <B>.sha256",
            "'<B>.sha256' was changed after it was signed: '<B>.sha256.asc' does not match"
        ),
        (
            "echo junk > dist/<B>.sha256.asc",
            "'<B>.sha256.asc' is no OpenPGP signature: no valid OpenPGP data found."
        ),
        (
            "sed 's/^:---/---/' ../gnupg/openpgp-revocs.d/*.rev | ../gpg.sh --batch --quiet --import 2>&1",
            "'<B>.sha256' is signed by the key of Ada Example <ada@example.org> (<K>), which was revoked"
        ),
    ])
    func everyFaultHasASentence(script: String, sentence: String) throws {
        let files = try ReleasedFiles(signing: Self.gpg)
        defer { end(files) }
        let keys = try files.fixture.shell("../gpg.sh --batch --with-colons --list-keys 2> /dev/null | grep ^pub")
        let key = keys.split(separator: ":", omittingEmptySubsequences: false)[4]
        try files.fixture.shell(script.replacing("<B>", with: Self.base))
        let problems = try files.verify().problems
        let expected = sentence.replacing("<B>", with: Self.base).replacing("<K>", with: String(key))
        #expect(problems.contains { $0.hasPrefix(expected) }, "\(problems)")
    }
}
