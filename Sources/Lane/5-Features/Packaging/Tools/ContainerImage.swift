import Archives
import OperatingSystem
import SwiftPackages
import Text

/// A container image with only the programs, in the format that `docker load` reads. Its creation needs no container engine.
struct ContainerImage {
    /// `mise` and `ubi` don't take a file with this extension for an archive with the program.
    static let suffix = ".image"

    let record: PackageRecord
    let files: InstallableFiles
    /// The libraries of the system that the programs need, with their licenses.
    var libraries: [ArchiveEntry] = []
    let summary: String

    func bytes() throws(OperationFailure) -> [UInt8] {
        let name = PackageOrder.fileName(record.name)
        var entries = files.programs(resourcesIn: "usr/lib/\(name)")
        entries += libraries
        entries += files.licenses.map { ArchiveEntry("usr/\($0.path)", $0.content) }
        return try convertingArchiveErrors { () throws(ArchiveError) in
            let layer = try ArchiveContents(entries).tar(modified: record.time)
            let digest = SHA256.digest(of: layer).description
            let config = configuration(layer: digest)
            let id = SHA256.digest(of: config).description
            let files = [
                ("\(digest).tar", layer), ("\(id).json", config), ("manifest.json", manifest(name, id, digest)),
            ]
            let image = try ArchiveContents(files.map { ArchiveEntry($0.0, .bytes($0.1, isExecutable: false)) })
            return try gzip(try image.tar(modified: record.time))
        }
    }

    private func configuration(layer: String) -> [UInt8] {
        let program = files.programs.first { $0 == record.name } ?? files.programs.first ?? record.name
        let time = Instant(secondsSince1970: record.time).description
        var writer = JSONWriter(.compact)
        writer.object { writer in
            writer.member("architecture", DebianPackage.architecture(record.triple))
            writer.member("os", "linux")
            writer.member("created", time)
            writer.object("config") { writer in
                writer.member("Entrypoint", ["/usr/bin/\(program)"])
                writer.member("Env", ["PATH=/usr/bin"])
                writer.object("Labels") { writer in
                    let labels = [
                        ("title", record.name), ("description", summary), ("version", record.version.description),
                        ("revision", record.commit), ("licenses", record.license), ("source", record.homepage),
                    ]
                    for case (let name, let value?) in labels {
                        writer.member("org.opencontainers.image.\(name)", value)
                    }
                }
            }
            writer.object("rootfs") { writer in
                writer.member("type", "layers")
                writer.member("diff_ids", ["sha256:\(layer)"])
            }
            writer.array("history") { writer in
                writer.object { writer in
                    writer.member("created", time)
                    writer.member("created_by", "lane package")
                }
            }
        }
        return writer.bytes
    }

    /// The tag, which must not contain `+`.
    private var tag: String { record.version.description.replacing("+", with: "_") }

    private func manifest(_ name: String, _ id: String, _ layer: String) -> [UInt8] {
        var writer = JSONWriter(.compact)
        writer.array { writer in
            writer.object { writer in
                writer.member("Config", "\(id).json")
                writer.member("RepoTags", ["\(name):\(tag)"])
                writer.member("Layers", ["\(layer).tar"])
            }
        }
        return writer.bytes
    }
}
