import ActionFixtures
import Archives
import Expressions
import Git
import LaneModel
import OperatingSystem
import TestSupport
import Text

@testable import Packaging

/// The files of a release as `package` writes them, without a build, in `dist` of a checkout with the tag `0.2.0`.
struct ReleasedFiles {
    static let base = "shape-0.2.0-linux-x86_64"
    static let origin = "https://example.org/o/shape.git"

    let fixture: GitFixture
    var directory: String { "\(fixture.path)/dist" }

    /// - Parameter configuration: A script that configures signatures.
    init(signing configuration: String? = nil) throws {
        fixture = try GitFixture("shape")
        try fixture.write(".build/\n.lane/\ndist/\n", to: ".gitignore")
        try fixture.write("old\n", to: ".build/old")
        try fixture.commit("Begin")
        try fixture.git("remote add origin \(Self.origin)")
        try fixture.git("commit -q --allow-empty -m Next && git tag -a -m 0.2.0 0.2.0")
        try fixture.shell("mkdir dist; echo '*' > dist/.gitignore")
        if let configuration { try fixture.shell(configuration) }
        try write(Self.base, in: directory, isSigned: configuration != nil)
    }

    /// Writes the files of another machine to a directory of the checkout, with their manifest.
    func writePart(_ platform: String, in part: String) throws {
        try makeDirectories("\(fixture.path)/\(part)")
        let base = "shape-0.2.0-\(platform)"
        let files = try write(base, in: "\(fixture.path)/\(part)", isSigned: false)
        let manifest = ReleaseManifest(
            version: "0.2.0", commit: try fixture.git("rev-parse HEAD"),
            files: files.map {
                .init(name: lastPathComponent($0.path), size: $0.size, sha256: $0.sha256.description)
            })
        try manifest.write(to: "\(part)/\(base)\(ReleaseManifest.suffix)", fixture.context())
    }

    @discardableResult
    private func write(_ name: String, in directory: String, isSigned: Bool) throws -> [WrittenFile] {
        let base = "\(directory)/\(name)"
        let contents = try ArchiveContents([
            ArchiveEntry("\(name)/bin/tool", .bytes(Array("tool\n".utf8), isExecutable: true)),
            ArchiveEntry("\(name)/README.md", .bytes(Array("# Shape\n".utf8), isExecutable: false)),
            ArchiveEntry("\(name)/share/read", .link("../README.md")),
        ])
        let record = PackageRecord(
            name: "Shape", version: SemanticVersion(.zero, .zero, .zero).bumped(.minor).bumped(.minor), base: name,
            time: 1_700_000_000, commit: try fixture.git("rev-parse HEAD"), origin: Self.origin, license: "MIT",
            compiler: "Swift version 6.3", triple: "x86_64-unknown-linux-gnu", products: ["tool"],
            pins: PackageDocumentTests.record.pins)
        let archive = try contents.writeTarGzip(to: "\(base).tar.gz", modified: record.time)
        let bundle = try contents.writeZip(to: "\(base).artifactbundle.zip", modified: record.time)
        let billed = BilledFiles(archive: archive, contents: try contents.digests(), others: [bundle])
        let files = [
            archive, bundle,
            try HashedOutputFile.write(
                BillOfMaterials(record: record, files: billed).bytes, to: base + BillOfMaterials.suffix),
            try HashedOutputFile.write(
                CycloneDXBill(record: record, files: billed).bytes, to: base + CycloneDXBill.suffix),
            try HashedOutputFile.write(
                Provenance(record: record, files: [archive, bundle], builds: [["build"]]).bytes,
                to: base + ProvenanceStatement.suffix),
        ]
        return files + (try ReleaseChecksums(base: base, isSigned: isSigned).write(files, fixture.context()))
    }

    /// Verifies the files as a receiver, outside of a checkout unless `inCheckout`.
    ///
    /// - Parameter place: The directory in the fixture where the receiver is.
    func verify(
        file: String? = nil, trust: SignatureCheck.Trust = .configured, tag: String? = nil, inCheckout: Bool = false,
        from place: String = ""
    ) throws -> VerificationReport {
        let git = Git(
            in: place.isEmpty ? fixture.path : "\(fixture.path)/\(place)", environment: fixture.environment,
            processes: ChildRunner())
        let signatures = SignatureCheck(
            trust, git: git, environment: fixture.environment, processes: ChildRunner())
        var verification = ReleaseVerification(directory: directory, file: file, signatures: signatures)
        verification.tag = tag
        verification.requiresTag = tag != nil
        verification.checkout = inCheckout ? git : nil
        return try verification.run()
    }

    /// Runs a script in `dist`, in which `$B` is the name of the files without their extensions.
    @discardableResult
    func shell(_ script: String) throws -> String {
        try fixture.shell("B=\(Self.base); cd dist; \(script)")
    }

    /// A function of the shell that writes the checksums again, as someone who replaces files would.
    static let again = "rm $B.sha256; sha256sum $B* > ../sums; mv ../sums $B.sha256"
}
