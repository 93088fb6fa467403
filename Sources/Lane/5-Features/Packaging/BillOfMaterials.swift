import Archives
import OperatingSystem
import Text

/// The files that bills of materials describe.
struct BilledFiles {
    let archive: WrittenFile
    /// The files in the archive.
    let contents: [FileDigests]
    /// The artifact bundle and the packages of tools, which contain the programs of the archive.
    let others: [WrittenFile]
}

/// A bill of materials of a package: SPDX 2.3 in JSON (ISO/IEC 5962).
struct BillOfMaterials {
    static let suffix = ".spdx.json"

    let record: PackageRecord
    let files: BilledFiles

    var bytes: [UInt8] {
        JSONWriter.documentBytes { writer in
            writer.member("spdxVersion", "SPDX-2.3")
            writer.member("dataLicense", "CC0-1.0")
            writer.member("SPDXID", "SPDXRef-DOCUMENT")
            writer.member("name", record.base)
            // The namespace must be unique for each document and need not be resolvable.
            writer.member("documentNamespace", "urn:sha256:\(files.archive.sha256)")
            writer.object("creationInfo") { writer in
                writer.member("created", Instant(secondsSince1970: record.time).description)
                writer.member("creators", ["Tool: lane"])
            }
            writer.array("packages") { writer in
                write(files.archive, "SPDXRef-Package", isAnalyzed: true, to: &writer)
                for (index, file) in files.others.enumerated() {
                    write(file, id(ofOther: index), isAnalyzed: false, to: &writer)
                }
                write(
                    "SPDXRef-Swift", "Swift standard library and runtime", version: record.compiler,
                    license: "Apache-2.0 WITH Swift-exception", to: &writer)
                for pin in record.pins { write(pin, to: &writer) }
            }
            writer.array("files") { writer in
                for (index, file) in files.contents.enumerated() { write(file, index, to: &writer) }
            }
            writer.array("relationships") { writer in
                relate("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-Package", to: &writer)
                for index in files.others.indices {
                    relate("SPDXRef-DOCUMENT", "DESCRIBES", id(ofOther: index), to: &writer)
                    relate(id(ofOther: index), "VARIANT_OF", "SPDXRef-Package", to: &writer)
                }
                for index in files.contents.indices {
                    relate("SPDXRef-Package", "CONTAINS", id(ofFile: index), to: &writer)
                }
                relate("SPDXRef-Package", "STATIC_LINK", "SPDXRef-Swift", to: &writer)
                for pin in record.pins { relate("SPDXRef-Package", "STATIC_LINK", id(of: pin), to: &writer) }
            }
        }
    }

    /// Writes a package of SPDX.
    ///
    /// - Parameters:
    ///   - source: The address and the revision, or `nil` if they are unknown.
    ///   - isAnalyzed: A Boolean value that indicates whether the bill lists the files of the package.
    private func write(
        _ id: String, _ name: String, version: String?, from source: String? = nil, license: String? = nil,
        as file: WrittenFile? = nil, isAnalyzed: Bool = false, purl: String? = nil, to writer: inout JSONWriter
    ) {
        let unknown = "NOASSERTION"
        writer.object { writer in
            writer.member("SPDXID", id)
            writer.member("name", name)
            writer.member("versionInfo", version ?? unknown)
            if let file { writer.member("packageFileName", lastPathComponent(file.path)) }
            writer.member("downloadLocation", source ?? unknown)
            writer.member("filesAnalyzed", isAnalyzed)
            if isAnalyzed {
                writer.object("packageVerificationCode") {
                    $0.member("packageVerificationCodeValue", verificationCode)
                }
            }
            if let file {
                writer.array("checksums") { writer in write(file.sha256.description, "SHA256", to: &writer) }
            }
            writer.member("licenseConcluded", unknown)
            writer.member("licenseDeclared", license ?? unknown)
            writer.member("copyrightText", unknown)
            guard let purl else { return }
            writer.array("externalRefs") { writer in
                writer.object { writer in
                    writer.member("referenceCategory", "PACKAGE-MANAGER")
                    writer.member("referenceType", "purl")
                    writer.member("referenceLocator", purl)
                }
            }
        }
    }

    private func write(_ file: WrittenFile, _ id: String, isAnalyzed: Bool, to writer: inout JSONWriter) {
        write(
            id, record.name, version: record.version.description, from: record.source, license: record.license,
            as: file, isAnalyzed: isAnalyzed, to: &writer)
    }

    private func write(_ pin: PackageRecord.Pin, to writer: inout JSONWriter) {
        write(
            id(of: pin), pin.identity, version: pin.version ?? pin.revision, from: pin.source, purl: pin.purl,
            to: &writer)
    }

    private func write(_ file: FileDigests, _ index: Int, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("SPDXID", id(ofFile: index))
            writer.member("fileName", "./\(file.path)")
            writer.array("checksums") { writer in
                write(file.sha1, "SHA1", to: &writer)
                write(file.sha256.description, "SHA256", to: &writer)
            }
            writer.member("licenseConcluded", "NOASSERTION")
            writer.member("copyrightText", "NOASSERTION")
        }
    }

    private func write(_ digest: String, _ algorithm: String, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("algorithm", algorithm)
            writer.member("checksumValue", digest)
        }
    }

    private func id(ofOther index: Int) -> String { "SPDXRef-Package-\(index + 2)" }

    private func id(ofFile index: Int) -> String { "SPDXRef-File-\(index + 1)" }

    /// The SHA-1 of the sorted SHA-1 digests of all files, as section 7.9 of SPDX 2.3 defines.
    private var verificationCode: String {
        var hash = SHA1()
        for digest in files.contents.map(\.sha1).sorted() { Array(digest.utf8).withUnsafeBytes { hash.update($0) } }
        return hash.hexDigest()
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
}
