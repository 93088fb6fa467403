import Git
import OperatingSystem
import TestSupport
import Testing

@Suite(.startsPrograms) struct CheckoutTests {
    @Test func submodulesAreCheckedOutAtTheirCommits() throws {
        let fixture = try GitFixture()
        try fixture.shell(
            """
            for name in deep inner; do
                git init -q ../$name && cd ../$name
                [ $name = deep ] || git -c protocol.file.allow=always submodule --quiet add ../deep 'the deep' || exit
                echo 1 > file && git add -A && git commit -qm 1
            done
            cd '\(fixture.path)' && git -c protocol.file.allow=always submodule --quiet add ../inner Vendor/inner
            git -c protocol.file.allow=always submodule --quiet update --init --recursive
            mkdir Tool && echo a > Tool/a && git add -A && git commit -qm 1 && git tag 1.0.0
            cd Vendor/inner && echo 2 > file && git commit -qam 2 && cd ../.. && git commit -qam 2
            """)
        let git = Git(in: "\(fixture.path)/Tool", environment: fixture.environment, processes: ChildRunner())
        let clone = "\(fixture.temporary.path)/clone"
        #expect(try git.checkOut("1.0.0", to: clone) == "\(clone)/Tool")
        #expect(try fixture.shell("cd '\(clone)/Vendor/inner' && cat file 'the deep/file'") == "1\n1")
        #expect(try fixture.shell("git -C '\(clone)' status --short") == "")

        // A submodule that is not checked out stays empty. One without the commit is named.
        try fixture.shell("git -C Vendor/inner submodule --quiet deinit -f 'the deep'; rm -rf '\(clone)'")
        try git.checkOut("1.0.0", to: clone)
        #expect(try fixture.shell("ls -A '\(clone)/Vendor/inner/the deep'") == "")
        try fixture.shell("rm -rf Vendor/inner '\(clone)' && git init -q Vendor/inner")
        let failure = #expect(throws: OperationFailure.self) { try git.checkOut("1.0.0", to: clone) }
        #expect(failure?.message.hasPrefix("the submodule 'Vendor/inner' does not contain the commit ") == true)
    }
}
