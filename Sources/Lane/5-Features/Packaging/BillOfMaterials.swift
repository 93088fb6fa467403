import Archives
import Text

/// A bill of materials of a package: SPDX 2.3 in JSON (ISO/IEC 5962).
struct BillOfMaterials {
    let record: PackageRecord
    let archive: WrittenFile

    var bytes: [UInt8] {
        var writer = JSONWriter(.indented)
        writer.object { writer in
            writer.member("spdxVersion", "SPDX-2.3")
            writer.member("dataLicense", "CC0-1.0")
            writer.member("SPDXID", "SPDXRef-DOCUMENT")
            writer.member("name", record.base)
            // The namespace must be unique for each document and need not be resolvable.
            writer.member("documentNamespace", "urn:sha256:\(archive.sha256)")
            writer.object("creationInfo") { writer in
                writer.member("created", Instant(secondsSince1970: record.time).description)
                writer.member("creators", ["Tool: lane"])
            }
            writer.array("packages") { writer in
                writePackage(&writer)
                writeRuntime(&writer)
                for pin in record.pins { write(pin, to: &writer) }
            }
            writer.array("relationships") { writer in
                relate("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-Package", to: &writer)
                relate("SPDXRef-Package", "STATIC_LINK", "SPDXRef-Swift", to: &writer)
                for pin in record.pins { relate("SPDXRef-Package", "STATIC_LINK", id(of: pin), to: &writer) }
            }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    private func writePackage(_ writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("SPDXID", "SPDXRef-Package")
            writer.member("name", record.name)
            writer.member("versionInfo", record.version.description)
            writer.member("packageFileName", "\(record.base).tar.gz")
            writer.member("downloadLocation", record.origin.map { "git+\($0)@\(record.commit)" } ?? "NOASSERTION")
            writer.member("filesAnalyzed", false)
            writer.array("checksums") { writer in
                writer.object { writer in
                    writer.member("algorithm", "SHA256")
                    writer.member("checksumValue", archive.sha256.description)
                }
            }
            writer.member("licenseConcluded", "NOASSERTION")
            writer.member("licenseDeclared", record.license ?? "NOASSERTION")
            writer.member("copyrightText", "NOASSERTION")
        }
    }

    private func writeRuntime(_ writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("SPDXID", "SPDXRef-Swift")
            writer.member("name", "Swift standard library and runtime")
            writer.member("versionInfo", record.compiler)
            writer.member("downloadLocation", "NOASSERTION")
            writer.member("filesAnalyzed", false)
            writer.member("licenseConcluded", "NOASSERTION")
            writer.member("licenseDeclared", "Apache-2.0 WITH Swift-exception")
            writer.member("copyrightText", "NOASSERTION")
        }
    }

    private func write(_ pin: PackageRecord.Pin, to writer: inout JSONWriter) {
        let location = PackageRecord.published(pin.location)
        let download = location.flatMap { location in pin.revision.map { "git+\(location)@\($0)" } }
        writer.object { writer in
            writer.member("SPDXID", id(of: pin))
            writer.member("name", pin.identity)
            writer.member("versionInfo", pin.version ?? pin.revision ?? "NOASSERTION")
            writer.member("downloadLocation", download ?? "NOASSERTION")
            writer.member("filesAnalyzed", false)
            writer.member("licenseConcluded", "NOASSERTION")
            writer.member("licenseDeclared", "NOASSERTION")
            writer.member("copyrightText", "NOASSERTION")
            if let name = location.flatMap(purl), let version = pin.version {
                writer.array("externalRefs") { writer in
                    writer.object { writer in
                        writer.member("referenceCategory", "PACKAGE-MANAGER")
                        writer.member("referenceType", "purl")
                        writer.member("referenceLocator", "pkg:swift/\(name)@\(version)")
                    }
                }
            }
        }
    }

    private func relate(_ one: String, _ relation: String, _ other: String, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("spdxElementId", one)
            writer.member("relationshipType", relation)
            writer.member("relatedSpdxElement", other)
        }
    }

    /// Returns the SPDX identifier of a dependency. SPDX allows only letters, digits, periods and hyphens.
    private func id(of pin: PackageRecord.Pin) -> String {
        "SPDXRef-Package-"
            + String(pin.identity.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? $0 : "-" })
    }

    /// Returns a package URL (purl) of type `swift` with the name `github.com/owner/name`, or `nil` for a location that
    /// is not a URL.
    private func purl(_ location: String) -> String? {
        guard let scheme = location.range(of: "://") else { return nil }
        let name = String(location[scheme.upperBound...])
        return name.hasSuffix(".git") ? String(name.dropLast(4)) : name
    }
}
