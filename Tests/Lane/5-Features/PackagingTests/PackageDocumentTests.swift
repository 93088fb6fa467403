import Archives
import Expressions
import LaneModel
import OperatingSystem
import TestSupport
import Testing
import Text

@testable import Packaging

@Suite struct PackageDocumentTests {
    static let record = PackageRecord(
        name: "Shape", version: SemanticVersion("0.2.0") ?? SemanticVersion(.zero, .zero, .zero),
        base: "shape-0.2.0-linux-x86_64", time: 1_700_000_000, commit: "abc",
        origin: "https://example.org/o/shape.git", license: "MIT", compiler: "Swift version 6.3",
        triple: "x86_64-unknown-linux-gnu",
        products: ["Shape"],
        pins: [
            .init(
                identity: "swift-x", location: "https://me:secret@github.com/o/swift-x.git", version: "1.2.3",
                revision: "def")
        ])

    private func written(_ text: String, _ name: String) throws -> (TemporaryDirectory, WrittenFile) {
        let directory = try TemporaryDirectory()
        return (directory, try HashedOutputFile.write(Array(text.utf8), to: "\(directory.path)/\(name)"))
    }

    @Test func billOfMaterialsContainsDependenciesAndNoSecrets() throws {
        let bytes = BillOfMaterials(record: Self.record, files: try billed()).bytes
        let node = try JSONParser.parse(bytes)
        #expect(node["spdxVersion"]?.string == "SPDX-2.3")
        #expect(node["creationInfo"]?["created"]?.string == "2023-11-14T22:13:20Z")
        let packages = try #require(node["packages"]?.array)
        #expect(
            packages.compactMap { $0["name"]?.string }
                == ["Shape", "Shape", "Swift standard library and runtime", "swift-x"])
        #expect(
            packages.compactMap { $0["packageFileName"]?.string } == ["shape.tar.gz", "shape.artifactbundle.zip"])
        #expect(packages[0]["checksums"]?.array?.first?["checksumValue"]?.string == Self.abc)
        // The SHA-1 of the sorted SHA-1 digests of all files.
        #expect(
            packages[0]["packageVerificationCode"]?["packageVerificationCodeValue"]?.string
                == "54dc335e9c9156a1ec80060a024facafdf6b4d56")
        let files = try #require(node["files"]?.array)
        #expect(files.compactMap { $0["fileName"]?.string } == ["./shape/a", "./shape/b"])
        #expect(
            files.first?["checksums"]?.array?.compactMap { $0["checksumValue"]?.string }
                == ["a9993e364706816aba3e25717850c26c9cd0d89d", Self.abc])
        #expect(
            packages[3]["externalRefs"]?.array?.first?["referenceLocator"]?.string
                == "pkg:swift/github.com/o/swift-x@1.2.3")
        let ids = Set(packages.compactMap { $0["SPDXID"]?.string } + ["SPDXRef-DOCUMENT"]).union(
            files.compactMap { $0["SPDXID"]?.string })
        for relation in try #require(node["relationships"]?.array) {
            #expect(ids.contains(relation["spdxElementId"]?.string ?? ""))
            #expect(ids.contains(relation["relatedSpdxElement"]?.string ?? ""))
        }
        #expect(!String(decoding: bytes, as: UTF8.self).contains("secret"))
    }

    @Test func theCycloneDXBillListsFilesAndDependenciesAndNoSecrets() throws {
        let bytes = CycloneDXBill(record: Self.record, files: try billed()).bytes
        let node = try JSONParser.parse(bytes)
        #expect(node["bomFormat"]?.string == "CycloneDX" && node["specVersion"]?.string == "1.6")
        #expect(node["serialNumber"]?.string == "urn:uuid:ba7816bf-8f01-8fea-8141-40de5dae2223")
        let components = try #require(node["components"]?.array)
        #expect(
            components.compactMap { $0["name"]?.string } == [
                "shape.tar.gz", "shape.artifactbundle.zip", "Swift standard library and runtime", "swift-x",
            ])
        #expect(components[0]["components"]?.array?.compactMap { $0["name"]?.string } == ["shape/a", "shape/b"])
        #expect(components[0]["components"]?.array?.first?["hashes"]?.array?.first?["content"]?.string == Self.abc)
        #expect(components[3]["purl"]?.string == "pkg:swift/github.com/o/swift-x@1.2.3")
        let references = Set(
            (components + [node["metadata"]?["component"]].compactMap(\.self)).compactMap { $0["bom-ref"]?.string })
        for dependency in try #require(node["dependencies"]?.array) {
            let names = [dependency["ref"]?.string ?? ""] + (dependency["dependsOn"]?.array ?? []).compactMap(\.string)
            #expect(references.isSuperset(of: names))
        }
        #expect(!String(decoding: bytes, as: UTF8.self).contains("secret"))
    }

    /// The SHA-256 of `abc`.
    private static let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

    /// An archive whose bytes are `abc`, with the files `a`, whose bytes are also `abc`, and `b`.
    private func billed() throws -> BilledFiles {
        let (_, archive) = try written("abc", "shape.tar.gz")
        let (_, bundle) = try written("bundle", "shape.artifactbundle.zip")
        let contents = try ArchiveContents([
            ArchiveEntry("shape/b", .bytes(Array("b\n".utf8), isExecutable: true)),
            ArchiveEntry("shape/a", .bytes(Array("abc".utf8), isExecutable: false)),
            ArchiveEntry("shape/link", .link("a")),
        ])
        return BilledFiles(archive: archive, contents: try contents.digests(), others: [bundle])
    }

    @Test func theProvenanceNamesFilesAndSourcesAndNoSecret() throws {
        let (_, file) = try written("archive", "shape.tar.gz")
        let statement = Provenance(record: Self.record, files: [file], builds: [["build", "$PWD=."]])
        let node = try JSONParser.parse(statement.bytes)
        #expect(node["_type"]?.string == "https://in-toto.io/Statement/v1")
        #expect(node["subject"]?.array?.first?["name"]?.string == "shape.tar.gz")
        #expect(node["subject"]?.array?.first?["digest"]?["sha256"]?.string == file.sha256.description)
        let definition = try #require(node["predicate"]?["buildDefinition"])
        #expect(definition["resolvedDependencies"]?.array?.first?["digest"]?["gitCommit"]?.string == "abc")
        #expect(!String(decoding: statement.bytes, as: UTF8.self).contains("secret"))
    }

    @Test(arguments: [
        (
            #"{"version":1,"object":{"pins":[{"package":"A","repositoryURL":"u","state":{"revision":"r","version":"1.0.0"}}]}}"#,
            "A"
        ),
        (#"{"version":3,"pins":[{"identity":"b","location":"u","state":{"revision":"r"}}]}"#, "b"),
        ("nonsense", ""),
    ])
    func pinsOfEveryFormatAreRead(text: String, identity: String) {
        let pins = PackageRecord.pins(Array(text.utf8))
        #expect(pins.map(\.identity).joined() == identity)
        #expect(pins.allSatisfy { $0.location == "u" && $0.revision == "r" })
    }

    @Test(arguments: [
        ("https://user:token@host/o/r.git", "https://host/o/r.git"), ("https://host/o/r@x", "https://host/o/r@x"),
        ("git@host:o/r.git", "git@host:o/r.git"), ("ssh://git@host/o/r", "ssh://host/o/r"),
        ("/local/path", nil), ("../beside", nil), ("./a:b", nil), ("file:///local/path", nil),
    ])
    func addresses(given: String, shown: String?) {
        #expect(PackageRecord.published(given) == shown)
    }

    @Test func differencesOfASecondBuildAreListed() throws {
        let (directory, _) = try written("same", "same")
        func contents(_ text: String) throws -> ArchiveContents {
            try ArchiveContents([
                ArchiveEntry("p/same", .file("\(directory.path)/same", isExecutable: false)),
                ArchiveEntry("p/other", .bytes(Array(text.utf8), isExecutable: false)),
            ])
        }
        #expect(try ReproducibilityCheck.differences(between: contents("a"), and: contents("a")) == [])
        #expect(try ReproducibilityCheck.differences(between: contents("a"), and: contents("b")) == ["p/other"])
        #expect(
            ReproducibilityCheck.failure(["p/other"]).message
                == "the package is not reproducible: 1 file of a second build differs: p/other")
    }
}
