import Archives
import OperatingSystem
import Text

/// The provenance of a package: an in-toto statement (v1) with SLSA provenance (v1). It is reproducible, because it
/// names neither the time nor the machine.
struct Provenance {
    static let buildType = "urn:lane:package:1"

    let record: PackageRecord
    /// The created files with their hashes.
    let files: [WrittenFile]
    /// The arguments of each build.
    let builds: [[String]]
    /// The settings of `package` that determine other files than the archive.
    var formats: [String] = []
    var description: String?

    var bytes: [UInt8] {
        JSONWriter.documentBytes { writer in
            writer.member("_type", "https://in-toto.io/Statement/v1")
            writer.array("subject") { writer in
                for file in files {
                    writer.object { writer in
                        writer.member("name", lastPathComponent(file.path))
                        writer.object("digest") { $0.member("sha256", file.sha256.description) }
                    }
                }
            }
            writer.member("predicateType", "https://slsa.dev/provenance/v1")
            writer.object("predicate") { writer in
                writer.object("buildDefinition") { writer in writeDefinition(&writer) }
                writer.object("runDetails") { writer in
                    writer.object("builder") { $0.member("id", "urn:lane:package") }
                }
            }
        }
    }

    private func writeDefinition(_ writer: inout JSONWriter) {
        writer.member("buildType", Self.buildType)
        writer.object("externalParameters") { writer in
            writer.member("name", record.name)
            writer.member("version", record.version.description)
            writer.member("products", record.products)
            if !formats.isEmpty { writer.member("formats", formats) }
            if let description { writer.member("description", description) }
        }
        writer.object("internalParameters") { writer in
            writer.member("SOURCE_DATE_EPOCH", String(record.time))
            writer.member("triple", record.triple)
            writer.array("builds") { writer in
                for build in builds {
                    writer.array { writer in for word in build { writer.value(word) } }
                }
            }
        }
        writer.array("resolvedDependencies") { writer in
            writer.object { writer in
                writer.member("uri", record.origin.map { "git+\($0)" } ?? "urn:lane:source")
                writer.object("digest") { $0.member("gitCommit", record.commit) }
            }
            writer.object { writer in
                writer.member("name", "swift")
                writer.member("uri", "urn:swift:toolchain")
                writer.object("annotations") { $0.member("version", record.compiler) }
            }
            for pin in record.pins {
                writer.object { writer in
                    writer.member("name", pin.identity)
                    writer.member("uri", pin.address.map { "git+\($0)" } ?? "urn:lane:source")
                    if let revision = pin.revision {
                        writer.object("digest") { $0.member("gitCommit", revision) }
                    }
                }
            }
        }
    }
}

/// The provenance of files, as `package` writes it: an in-toto statement (v1) with SLSA provenance (v1).
package struct ProvenanceStatement: Sendable {
    /// The extension of provenance files. `mise` expects a Sigstore bundle in a file whose name contains `provenance` or
    /// `.intoto.jsonl`.
    package static let suffix = ".intoto.json"

    /// The names of the files with their SHA-256.
    let subjects: [(name: String, sha256: String)]
    let name: String?
    let version: String
    let products: [String]
    /// The settings `formats` and `description` of `package`.
    let formats: [String]
    let description: String?
    let commit: String
    /// The URL of the repository after `git+`, or `nil` if it is unknown.
    let origin: String?
    /// The time of the files in seconds since 1970, as text.
    let time: String?
    /// The version of the compiler and the triple of the target.
    let toolchain: String

    /// Parses a statement. Returns `nil` for any other file, and for the provenance of other tools.
    init?(reading bytes: [UInt8]) {
        guard let node = try? JSONParser.parse(bytes), node["_type"]?.string == "https://in-toto.io/Statement/v1",
            node["predicateType"]?.string == "https://slsa.dev/provenance/v1",
            let definition = node["predicate"]?["buildDefinition"],
            definition["buildType"]?.string == Provenance.buildType,
            let version = definition["externalParameters"]?["version"]?.string,
            let source = definition["resolvedDependencies"]?.array?.first,
            let commit = source["digest"]?["gitCommit"]?.string, let subjects = node["subject"]?.array
        else { return nil }
        self.version = version
        self.commit = commit
        self.subjects = subjects.compactMap { subject in
            guard let name = subject["name"]?.string, let sum = subject["digest"]?["sha256"]?.string else { return nil }
            return (name, sum)
        }
        guard self.subjects.count == subjects.count, !subjects.isEmpty else { return nil }
        name = definition["externalParameters"]?["name"]?.string
        products = definition["externalParameters"]?["products"]?.array?.compactMap(\.string) ?? []
        formats = definition["externalParameters"]?["formats"]?.array?.compactMap(\.string) ?? []
        description = definition["externalParameters"]?["description"]?.string
        origin = source["uri"]?.string.flatMap { $0.hasPrefix("git+") ? String($0.dropFirst(4)) : nil }
        time = definition["internalParameters"]?["SOURCE_DATE_EPOCH"]?.string
        let compiler = definition["resolvedDependencies"]?.array?.first { $0["name"]?.string == "swift" }?[
            "annotations"]?["version"]
        toolchain = [compiler?.string, definition["internalParameters"]?["triple"]?.string].compactMap(\.self)
            .joined(separator: ", ")
    }
}
