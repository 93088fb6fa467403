import Archives
import OperatingSystem
import Text

/// A bill of materials of a package: CycloneDX 1.6 in JSON (ECMA-424).
struct CycloneDXBill {
    static let suffix = ".cdx.json"

    let record: PackageRecord
    let files: BilledFiles

    private static let package = "package"
    private static let runtime = "swift"

    var bytes: [UInt8] {
        JSONWriter.documentBytes { writer in
            writer.member("$schema", "http://cyclonedx.org/schema/bom-1.6.schema.json")
            writer.member("bomFormat", "CycloneDX")
            writer.member("specVersion", "1.6")
            writer.member("serialNumber", "urn:uuid:\(serialNumber)")
            writer.member("version", 1)
            writer.object("metadata") { writer in
                writer.member("timestamp", Instant(secondsSince1970: record.time).description)
                writer.object("tools") { writer in
                    writer.array("components") { writer in
                        writer.object { writer in
                            writer.member("type", "application")
                            writer.member("name", "lane")
                        }
                    }
                }
                writer.object("component") { writer in writePackage(&writer) }
            }
            writer.array("components") { writer in
                write(files.archive, files.contents, to: &writer)
                for file in files.others { write(file, [], to: &writer) }
                writeRuntime(&writer)
                for pin in record.pins { write(pin, to: &writer) }
            }
            writer.array("dependencies") { writer in
                let used = [Self.runtime] + record.pins.map(reference)
                writer.object { writer in
                    writer.member("ref", Self.package)
                    writer.member("dependsOn", used)
                }
                for reference in used { writer.object { $0.member("ref", reference) } }
            }
        }
    }

    /// A UUID that depends only on the archive (version 8 of RFC 9562).
    private var serialNumber: String {
        var bytes = Array(files.archive.sha256.bytes.prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        let parts = [bytes[0..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10..<16]]
        return parts.map { Array($0).hexString }.joined(separator: "-")
    }

    private func writePackage(_ writer: inout JSONWriter) {
        writer.member("type", files.others.isEmpty ? "library" : "application")
        writer.member("bom-ref", Self.package)
        writer.member("name", record.name)
        writer.member("version", record.version.description)
        if let license = record.license {
            writer.array("licenses") { writer in
                writer.object { writer in writer.object("license") { $0.member("id", license) } }
            }
        }
        if let source = record.source { writeSource(source, to: &writer) }
    }

    private func write(_ file: WrittenFile, _ contents: [FileDigests], to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("type", "file")
            writer.member("name", lastPathComponent(file.path))
            writeHash(file.sha256.description, to: &writer)
            guard !contents.isEmpty else { return }
            writer.array("components") { writer in
                for file in contents {
                    writer.object { writer in
                        writer.member("type", "file")
                        writer.member("name", file.path)
                        writeHash(file.sha256.description, to: &writer)
                    }
                }
            }
        }
    }

    private func writeRuntime(_ writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("type", "library")
            writer.member("bom-ref", Self.runtime)
            writer.member("name", "Swift standard library and runtime")
            writer.member("version", record.compiler)
            writer.array("licenses") { writer in
                writer.object { $0.member("expression", "Apache-2.0 WITH Swift-exception") }
            }
        }
    }

    private func write(_ pin: PackageRecord.Pin, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("type", "library")
            writer.member("bom-ref", reference(to: pin))
            writer.member("name", pin.identity)
            if let version = pin.version ?? pin.revision { writer.member("version", version) }
            if let purl = pin.purl { writer.member("purl", purl) }
            if let source = pin.source { writeSource(source, to: &writer) }
        }
    }

    private func reference(to pin: PackageRecord.Pin) -> String { "\(Self.package)/\(pin.identity)" }

    private func writeHash(_ sum: String, to writer: inout JSONWriter) {
        writer.array("hashes") { writer in
            writer.object { writer in
                writer.member("alg", "SHA-256")
                writer.member("content", sum)
            }
        }
    }

    private func writeSource(_ url: String, to writer: inout JSONWriter) {
        writer.array("externalReferences") { writer in
            writer.object { writer in
                writer.member("type", "vcs")
                writer.member("url", url)
            }
        }
    }
}
