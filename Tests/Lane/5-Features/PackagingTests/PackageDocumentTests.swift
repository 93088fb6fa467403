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
        let (_, file) = try written("archive", "shape.tar.gz")
        let bytes = BillOfMaterials(record: Self.record, archive: file).bytes
        let node = try JSONParser.parse(bytes)
        #expect(node["spdxVersion"]?.string == "SPDX-2.3")
        #expect(node["creationInfo"]?["created"]?.string == "2023-11-14T22:13:20Z")
        let packages = try #require(node["packages"]?.array)
        #expect(
            packages.compactMap { $0["name"]?.string } == ["Shape", "Swift standard library and runtime", "swift-x"])
        #expect(packages[0]["checksums"]?.array?.first?["checksumValue"]?.string == file.sha256.description)
        #expect(
            packages[2]["externalRefs"]?.array?.first?["referenceLocator"]?.string
                == "pkg:swift/github.com/o/swift-x@1.2.3")
        let ids = Set(packages.compactMap { $0["SPDXID"]?.string } + ["SPDXRef-DOCUMENT"])
        for relation in try #require(node["relationships"]?.array) {
            #expect(ids.contains(relation["spdxElementId"]?.string ?? ""))
            #expect(ids.contains(relation["relatedSpdxElement"]?.string ?? ""))
        }
        #expect(!String(decoding: bytes, as: UTF8.self).contains("secret"))
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
