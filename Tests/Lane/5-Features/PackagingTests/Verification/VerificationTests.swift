import ActionFixtures
import OperatingSystem
import TestSupport
import Testing
import Text

@testable import Packaging

@Suite(.startsPrograms) struct VerificationTests {
    private static let base = ReleasedFiles.base

    @Test func theFilesOfPackageAreVerified() throws {
        let files = try ReleasedFiles()
        let report = try files.verify(inCheckout: true)
        #expect(report.problems == [])
        let commit = try files.fixture.git("rev-parse HEAD").prefix(12)
        let details = report.rows.map { "\($0.title): \($0.detail)" }
        #expect(
            details == [
                "checksums: 5 files in '\(Self.base).sha256'", "signature: none",
                "provenance: Shape 0.2.0 from the commit \(commit) of \(ReleasedFiles.origin), which has the tag '0.2.0'",
                "contents: 2 files of '\(Self.base).tar.gz' in '\(Self.base).cdx.json' and '\(Self.base).spdx.json'",
            ])
        #expect(report.fileCount == 5)
        // The commands of the guide, for receivers without lane.
        #expect(try files.shell("sha256sum --check --strict --quiet $B.sha256").isEmpty)
        for file in [".tar.gz", ".artifactbundle.zip", ".spdx.json", ".sha256"] {
            #expect(try files.verify(file: Self.base + file).problems == [], "\(file)")
        }
        #expect(
            try files.verify(file: "\(Self.base).artifactbundle.zip").rows[3].detail
                == "described in '\(Self.base).cdx.json' and '\(Self.base).spdx.json'")
    }

    /// A change of the files, and the sentence about it. `$B` and `<B>` are the names without their extensions.
    static let faults: [(script: String, sentence: String)] = [
        ("printf x >> $B.tar.gz", "'<B>.tar.gz' was changed: expected the SHA-256 "),
        (
            "printf x | dd of=$B.artifactbundle.zip bs=1 seek=9 conv=notrunc 2>&1",
            "'<B>.artifactbundle.zip' was changed: "
        ),
        ("head -c 200 $B.tar.gz > x; mv x $B.tar.gz", "'<B>.tar.gz' was changed: expected the SHA-256 "),
        (": > $B.tar.gz", "'<B>.tar.gz' was changed: expected the SHA-256 "),
        (
            "mv $B.tar.gz x; mv $B.artifactbundle.zip $B.tar.gz; mv x $B.artifactbundle.zip",
            "'<B>.tar.gz' has the contents of '<B>.artifactbundle.zip'"
        ),
        ("rm $B.spdx.json", "'<B>.spdx.json' is missing, but '<B>.sha256' lists it"),
        ("echo more > more.txt", "'more.txt' is in no checksum file"),
        ("mkdir a; echo more > a/more.txt", "'a/more.txt' is in no checksum file"),
        ("rm $B.tar.gz; mkdir $B.tar.gz", "could not read '<D>/<B>.tar.gz': "),
        ("rm $B.tar.gz; mkfifo $B.tar.gz", "could not read '<D>/<B>.tar.gz': "),
        ("echo junk > $B.sha256", "'<B>.sha256' is no checksum file: expected lines in the format of 'sha256sum'"),
        (": > $B.sha256", "'<B>.sha256' is no checksum file: expected lines in the format of 'sha256sum'"),
        (
            "rm $B.sha256", "'<B>.spdx.json' has no checksum: expected it in '<B>.spdx.json.sha256' or 'SHA256SUMS'"
        ),
        (
            "echo '\(String(repeating: "0", count: 64))  ../.git/config' >> $B.sha256",
            "'<B>.sha256' names '../.git/config', which is outside its directory"
        ),
        (
            "echo 'SHA256 (a) = 00' > $B.sha256",
            "'<B>.sha256' is no checksum file: expected lines in the format of 'sha256sum', found 'SHA256 (a) = 00' in line 1"
        ),
        (
            "(head -1 $B.sha256; printf '\\033[31m%090d\\n' 0) > ../x; mv ../x $B.sha256",
            "'<B>.sha256' is no checksum file: expected lines in the format of 'sha256sum', found '0000000"
        ),
        (
            "echo \"\(String(repeating: "0", count: 64))  $B.tar.gz\" >> $B.sha256",
            "'<B>.sha256' has different checksums of '<B>.tar.gz'"
        ),
        (
            "mv $B.tar.gz 'shape (1).gz'",
            "'shape (1).gz' has the contents of '<B>.tar.gz' in '<B>.sha256'\nhint: rename it to '<B>.tar.gz'"
        ),
        (
            "echo new > new; echo \"$(sha256sum new | cut -c 1-64)  ../../.bashrc\" > new.sha256",
            "'new' is in no checksum file"
        ),
        // Who replaces files can also replace checksums that are not signed.
        (
            "sed -i 's/0.2.0/0.1.0/' $B.intoto.json; \(ReleasedFiles.again)",
            "'<B>.intoto.json' is of version 0.1.0, not of the tag '0.2.0'"
        ),
        (
            "printf x >> $B.tar.gz; \(ReleasedFiles.again)",
            "'<B>.intoto.json' is not the provenance of '<B>.tar.gz': expected the SHA-256 "
        ),
        (
            "printf x >> $B.tar.gz; \(ReleasedFiles.again)",
            "'<B>.spdx.json' describes another '<B>.tar.gz': expected the SHA-256 "
        ),
        (
            "rm $B.artifactbundle.zip; \(ReleasedFiles.again)",
            "'<B>.artifactbundle.zip' is missing, but '<B>.intoto.json' names it"
        ),
        (
            "echo '{}' > $B.intoto.json; \(ReleasedFiles.again)",
            "'<B>.intoto.json' is no provenance of 'package': expected an in-toto statement (v1)"
        ),
        ("rm $B.intoto.json; \(ReleasedFiles.again)", "no provenance names the commit of the tag '0.2.0'"),
        (
            "sed -i 's,CONTAINS,DESCRIBES,' $B.spdx.json; \(ReleasedFiles.again)",
            "'<B>.spdx.json' lists no file of '<B>.tar.gz'"
        ),
        (
            "sed -i 's,SPDXRef-File-2,SPDXRef-File-1,' $B.spdx.json; \(ReleasedFiles.again)",
            "'<B>.spdx.json' does not list '<B>/README.md' of '<B>.tar.gz'"
        ),
        (
            "sed -i 's,/bin/tool,/bin/tools,' $B.cdx.json; \(ReleasedFiles.again)",
            "'<B>.cdx.json' does not list '<B>/bin/tool' of '<B>.tar.gz'"
        ),
        (
            "sed -i 's,/bin/tool,/bin/tools,' $B.cdx.json; \(ReleasedFiles.again)",
            "'<B>.cdx.json' lists '<B>/bin/tools', which is not in '<B>.tar.gz'"
        ),
        (
            "sed -i 's,artifactbundle.zip,bundle,' $B.spdx.json; \(ReleasedFiles.again)",
            "'<B>.spdx.json' does not describe '<B>.artifactbundle.zip'"
        ),
        (
            "echo x > $B.cdx.json; \(ReleasedFiles.again)",
            "'<B>.cdx.json' is no bill of materials: expected SPDX 2 or CycloneDX in JSON"
        ),
    ]

    @Test(arguments: faults) func everyFaultHasASentence(script: String, sentence: String) throws {
        let files = try ReleasedFiles()
        try files.shell(script)
        let report = try files.verify(tag: "0.2.0")
        let expected = sentence.replacing("<B>", with: Self.base).replacing("<D>", with: files.directory)
        #expect(report.problems.contains { $0.hasPrefix(expected) }, "\(report.problems)")
    }

    @Test func aChangedFileIsReportedOnce() throws {
        let files = try ReleasedFiles()
        try files.shell("printf x >> $B.tar.gz")
        #expect(try files.verify().problems.count == 1)
        #expect(try files.verify(file: "\(Self.base).tar.gz").problems.count == 1)
        // Another file of the release is not affected.
        #expect(try files.verify(file: "\(Self.base).spdx.json").problems == [])
    }

    @Test func aFileAmongOthersNeedsItsChecksumOnly() throws {
        let files = try ReleasedFiles()
        try files.shell("rm $B.artifactbundle.zip; echo junk > other.sha256; echo x > other.txt")
        #expect(try files.verify(file: "\(Self.base).tar.gz").problems == [])
        #expect(
            try files.verify(file: "other.txt").problems
                == ["'other.txt' has no checksum: expected it in 'other.txt.sha256' or 'SHA256SUMS'"])
        try files.shell("sha256sum other.txt > SHA256SUMS")
        #expect(try files.verify(file: "other.txt").problems == [])
    }

    /// A browser or a login page replaces a file or its checksums.
    @Test func aFileAloneNeedsItsOwnChecksums() throws {
        let files = try ReleasedFiles()
        let file = "\(Self.base).tar.gz"
        try files.shell("cp $B.tar.gz 'shape (1).gz'")
        #expect(
            try files.verify(file: "shape (1).gz").problems == [
                "'shape (1).gz' has the contents of '\(file)' in '\(Self.base).sha256'"
            ])
        try files.shell("echo '<html>' > SHA256SUMS")
        #expect(try files.verify(file: file).problems == [])
        let expected = "expected lines in the format of 'sha256sum', found '<html>' in line 1"
        try files.shell("mv $B.sha256 ../sums; mv SHA256SUMS $B.tar.gz.sha256")
        #expect(try files.verify(file: file).problems == ["'\(file).sha256' is no checksum file: \(expected)"])
        try files.shell("mv ../sums $B.sha256; sha256sum $B.tar.gz | cut -c 1-64 > $B.tar.gz.sha256")
        #expect(try files.verify(file: file).problems == [])
        try files.shell("rm $B.sha256; echo '<html>' > SHA256SUMS; rm $B.tar.gz.sha256 *.intoto.json")
        #expect(
            try files.verify(file: file).problems == [
                "'SHA256SUMS' is no checksum file: \(expected)",
                "'\(file)' has no checksum: expected it in '\(file).sha256' or 'SHA256SUMS'",
            ])
    }

    /// `find` and `sha256sum ./*` write names that start with `./`.
    @Test func namesMayStartWithTheDirectory() throws {
        let files = try ReleasedFiles()
        try files.shell(
            "rm *; mkdir 'a b'; echo 1 > 'a b/c  d'; echo 2 > e; find . -type f -not -name '.*' | xargs -d '\\n' sha256sum > ../S; mv ../S SHA256SUMS"
        )
        #expect(try files.shell("cut -c 67-68 SHA256SUMS") == "./\n./")
        let report = try files.verify()
        #expect(report.problems == [] && report.fileCount == 2, "\(report.problems)")
    }

    /// Both bills describe the archive.
    @Test(
        arguments: [
            (
                "(gunzip < $B.tar.gz; tar c -C .. dist/.gitignore) | gzip > ../x",
                "damaged archive: data after the end of the archive"
            ),
            ("(gunzip < $B.tar.gz; head -c 10240 /dev/zero) | gzip > ../x", nil),
            ("(cat $B.tar.gz; printf 123456789) > ../x", "damaged archive: not a complete gzip file"),
        ] as [(String, String?)])
    func aDamagedArchiveIsReportedOnce(script: String, problem: String?) throws {
        let files = try ReleasedFiles()
        let sum = "sha256sum < $B.tar.gz | cut -c1-64"
        try files.shell(
            "old=$(\(sum)); \(script); mv ../x $B.tar.gz; new=$(\(sum)); sed -i \"s/$old/$new/\" *.json; \(ReleasedFiles.again)"
        )
        #expect(try files.verify().problems == [problem.map { "'\(Self.base).tar.gz': \($0)" }].compactMap(\.self))
    }

    @Test func anEmptyDirectoryIsNotVerified() throws {
        let files = try ReleasedFiles()
        try files.shell("rm -r *")
        let failure = #expect(throws: OperationFailure.self) { try files.verify() }
        #expect(failure?.message == "the directory contains no files to verify")
        #expect(failure?.status == 66)
        try files.shell("echo '{}' > x.manifest.json")
        #expect(try files.verify().problems == ["no file has a checksum"])
        try files.shell("cd ..; rm -r dist")
        let missing = #expect(throws: OperationFailure.self) { try files.verify() }
        #expect(missing?.message.hasPrefix("could not ") == true, "\(missing?.message ?? "")")
    }

    @Test(arguments: [
        ("git tag -f -a -m 0.2.0 0.2.0 HEAD~1", "it names the commit <C>, but the tag '0.2.0' is at <P>"),
        ("git tag -d 0.2.0; git tag v0.2.0 HEAD~1", "it names the commit <C>, but the tag 'v0.2.0' is at <P>"),
        (
            "git tag -d 0.2.0; git tag shape-0.2.0 HEAD~1",
            "it names the commit <C>, but the tag 'shape-0.2.0' is at <P>"
        ),
        // The tag of another package in the repository, and no tag yet.
        ("git tag -d 0.2.0; git tag circle-0.2.0 HEAD~1", nil), ("git tag -d 0.2.0", nil),
        (
            "git tag -d 0.2.0; git reset -q --hard HEAD~1; git reflog expire --expire=now --all; git prune",
            "this checkout has no commit <C>\nhint: git fetch --tags"
        ),
        // A checkout of something else.
        (
            "git tag -d 0.2.0; git reset -q --hard HEAD~1; git reflog expire --expire=now --all; git prune; git tag 0.2.0; git remote remove origin",
            nil
        ),
    ])
    func commitAndTagOfACheckoutAreCompared(script: String, sentence: String?) throws {
        let files = try ReleasedFiles()
        let commits = try files.fixture.git("log --format=%H").lines.map { String($0.prefix(12)) }
        try files.fixture.shell(script)
        let problems = try files.verify(inCheckout: true).problems
        let expected = sentence.map {
            "'\(Self.base).intoto.json': \($0.replacing("<C>", with: commits[0]).replacing("<P>", with: commits[1]))"
        }
        #expect(problems == [expected].compactMap(\.self))
    }
}
