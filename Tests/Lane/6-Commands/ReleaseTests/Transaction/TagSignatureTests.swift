import ActionFixtures
import Actions
import Expressions
import LaneModel
import OperatingSystem
import Release
import TestSupport
import Testing
import Text

/// Tests that a tag is signed if the user's configuration requires it, or not created.
@Suite(.startsPrograms) struct TagSignatureTests {
    /// A replacement of GnuPG that signs, or fails and reports success.
    private static let signer = """
        #!/bin/sh
        cat > /dev/null; echo '[GNUPG:] SIG_CREATED ' >&2
        echo '-----BEGIN PGP SIGNATURE-----'; echo; echo abcd; echo '-----END PGP SIGNATURE-----'

        """
    private static let pretender = "#!/bin/sh\ncat > /dev/null; echo '[GNUPG:] SIG_CREATED ' >&2; echo nothing\n"

    private func fixture(_ program: String, _ settings: String) throws -> GitFixture {
        let fixture = try GitFixture.ready()
        try fixture.write(program, to: "../signer.sh")
        try fixture.shell("chmod +x ../signer.sh; git config gpg.program \"$PWD/../signer.sh\"; \(settings)")
        return fixture
    }

    static let settings = [
        "git config tag.gpgSign true", "git config tag.forceSignAnnotated yes", "git config --global tag.gpgSign on",
        "git config extensions.worktreeConfig true; git config --worktree tag.gpgSign true",
        "git config --global includeIf.gitdir:$PWD/.git.path $PWD/../more; git config --file ../more tag.gpgSign true",
    ]

    @Test(arguments: settings) func aTagThatShouldBeSignedIs(settings: String) throws {
        let fixture = try fixture(Self.signer, settings)
        try fixture.run(TagAction(), ["name": .string("0.1.0")])
        #expect(try fixture.git("cat-file tag 0.1.0").contains("-----BEGIN PGP SIGNATURE-----"))
        let transaction = try fixture.begin()
        try fixture.releaseSteps(in: transaction.directory)
        fixture.planRelease(transaction)
        try transaction.commit()
        #expect(try fixture.git("cat-file tag 0.2.0").contains("-----BEGIN PGP SIGNATURE-----"))
    }

    @Test(arguments: settings) func unsignedTagsAreErrors(settings: String) throws {
        let fixture = try fixture(Self.pretender, settings)
        let transaction = try fixture.begin()
        try fixture.releaseSteps(in: transaction.directory)
        fixture.planRelease(transaction)
        let before = try fixture.git("rev-parse HEAD; git tag")
        let failure = #expect(throws: OperationFailure.self) { try transaction.commit() }
        #expect(failure?.message.hasPrefix("the tag '0.2.0' is not signed, but git's setting 'tag.") == true)
        transaction.abandon()
        #expect(try fixture.git("rev-parse HEAD; git tag") == before)
    }

    @Test(arguments: [
        (
            "git config gpg.format ssh; git config user.signingKey ~/none.pub",
            "the key '<home>/none.pub' does not exist"
        ),
        ("git config gpg.format ssh", "'user.signingKey' names no key"),
        ("git config gpg.format ssh; touch ~/some.pub; git config user.signingKey ~/some.pub", nil),
        ("git config gpg.format ssh; git config user.signingKey 'key::ssh-ed25519 AAAA'", nil),
        ("git config gpg.program /nowhere/gpg", "no file '/nowhere/gpg' to run"),
        ("git config user.signingKey ABCD", "no secret key for 'ABCD'"),
        ("git config user.name Known; git config user.email a@example.com", nil),
    ]) func aMissingKeyIsReportedBeforeAnythingChanges(settings: String, expected: String?) throws {
        let program = "#!/bin/sh\ncase \"$4\" in 'Known <a@example.com>') ;; *) exit 2 ;; esac\n"
        for setting in ["tag.gpgSign", "commit.gpgSign"] {
            let fixture = try fixture(program, "git config \(setting) true; \(settings)")
            let refusal = fixture.refusal(of: RequireAction(), ["version": .string("minor")])
            let home = try fixture.shell("echo $HOME")
            let message = refusal?.message.replacing(home, with: "<home>")
            if let expected {
                #expect(message?.contains(expected) == true, "\(message ?? "")")
            } else {
                #expect(message?.contains("signature") != true, "\(message ?? "")")
            }
        }
    }

    @Test(arguments: [
        ("#!/bin/sh\necho 'gpg: no secret key' >&2; exit 2\n", "failed to sign the data"),
        ("#!/bin/nowhere\n", "cannot run"),
    ])
    func aSignatureThatFailsIsNamed(program: String, reason: String) throws {
        let fixture = try fixture(program, "git config tag.gpgSign true")
        let transaction = try fixture.begin()
        try fixture.releaseSteps(in: transaction.directory)
        fixture.planRelease(transaction)
        let failures = [
            fixture.refusal(of: TagAction(), ["name": .string("0.1.0")]),
            #expect(throws: OperationFailure.self) { try transaction.commit() },
        ]
        transaction.abandon()
        for (failure, tag) in zip(failures, ["0.1.0", "0.2.0"]) {
            let message = failure?.message ?? ""
            #expect(message.hasPrefix("the tag '\(tag)' could not be signed: "), "\(message)")
            #expect(message.contains(reason) && message.contains("\nhint: "), "\(message)")
        }
        #expect(try fixture.git("tag").isEmpty)
    }

    @Test func otherTagsAreNotSigned() throws {
        let fixture = try fixture("#!/bin/sh\nexit 1\n", "git config tag.gpgSign false")
        try fixture.run(TagAction(), ["name": .string("0.1.0")])
        #expect(try !fixture.git("cat-file tag 0.1.0").contains("BEGIN"))
    }
}
