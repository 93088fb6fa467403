import ActionFixtures
import Actions
import TestSupport
import Testing

@Suite(.startsPrograms) struct SubmoduleTests {
    /// A transaction contains the submodules of the checkout, and does not change the configuration of the repository.
    @Test(arguments: ["true", "git config submodule.recurse true", "git config submodule.active ."])
    func aTransactionInitializesNoSubmodule(script: String) throws {
        let fixture = try GitFixture.ready()
        try fixture.git("config --global protocol.file.allow always")
        try fixture.shell(
            """
            git init -q ../inner; cd ../inner; echo inner > inner.txt; git add .; git commit -qm inner
            git init -q ../outer; cd ../outer; git submodule --quiet add ../inner in; git commit -qm outer
            cd ../sample; git submodule --quiet add ../outer one; git submodule --quiet add ../outer two
            git submodule --quiet add ../inner three; git commit -qm Modules
            git submodule --quiet update --init --recursive two; git submodule --quiet deinit --force one three
            \(script); git config --global protocol.file.allow never
            """)
        let before = try fixture.shell("cat .git/config .git/modules/*/config")
        let transaction = try fixture.begin()
        let files = try fixture.shell("cd '\(transaction.directory)'; cat two/in/inner.txt; ls one three")
        // If all submodules are active, earlier ones are available.
        #expect(files == (script.hasSuffix(".") ? "inner\none:\nin\n\nthree:\ninner.txt" : "inner\none:\n\nthree:"))
        try fixture.releaseSteps(in: transaction.directory)
        fixture.planRelease(transaction)
        try transaction.commit()
        #expect(try fixture.shell("cat .git/config .git/modules/*/config") == before)
        #expect(try fixture.git("submodule status | cut -c1").split(separator: "\n") == ["-", "-", " "])
    }
}
