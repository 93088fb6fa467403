import Archives
import OperatingSystem
import Text

/// An artifact bundle (SE-0305) of the package's executables for a SwiftPM `binaryTarget`.
struct ArtifactBundle {
    let record: PackageRecord
    /// The executables by name, with their paths.
    let executables: [(name: String, path: String)]
    let licenses: [ArchiveEntry]

    func contents() throws(OperationFailure) -> ArchiveContents {
        let top = "\(record.name).artifactbundle"
        var entries = [ArchiveEntry("\(top)/info.json", .bytes(description, isExecutable: false))]
        entries += licenses.map { ArchiveEntry("\(top)/\($0.path)", $0.content) }
        for executable in executables {
            let path = "\(top)/\(entryPath(of: executable.name))"
            entries.append(ArchiveEntry(path, .file(executable.path, isExecutable: true)))
            entries += try ResourceBundles.entries(of: executable.path, below: parentDirectory(path))
        }
        return try convertingArchiveErrors(of: ArchiveContents(entries))
    }

    private func entryPath(of name: String) -> String { "\(name)-\(record.version)-\(record.triple)/bin/\(name)" }

    private var description: [UInt8] {
        JSONWriter.documentBytes { writer in
            writer.member("schemaVersion", "1.0")
            writer.object("artifacts") { writer in
                for executable in executables {
                    writer.object(executable.name) { writer in
                        writer.member("version", record.version.description)
                        writer.member("type", "executable")
                        writer.array("variants") { writer in
                            writer.object { writer in
                                writer.member("path", entryPath(of: executable.name))
                                writer.member("supportedTriples", [record.triple])
                            }
                        }
                    }
                }
            }
        }
    }
}
