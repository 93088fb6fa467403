import Text

/// The description of a test archive's contents and requirements: its file `manifest.json`.
struct TestArchiveManifest: Equatable {
    static let fileName = "manifest.json"
    static let currentVersion = 1

    /// A library that belongs neither to the package nor to the Swift runtime. Other machines may lack it.
    struct Library: Equatable {
        let name: String
        /// The path on the machine that packed the archive.
        let path: String
    }

    /// The Swift runtime that the tests were linked with.
    struct Runtime: Equatable {
        /// The directory of the libraries on the machine that packed the archive.
        let directory: String
        /// The names of the runtime's libraries that the tests load.
        let libraries: [String]
        /// The SHA-256 of `libswiftCore.so`, which identifies the runtime.
        let digest: String
    }

    let package: String
    /// The system and the architecture: `linux-x86_64`.
    let platform: String
    /// The first line of `swift --version`.
    let swift: String
    /// The directory of the package at build time, which `#filePath` contains.
    let root: String
    /// The runtime, or `nil` if it is linked statically.
    let runtime: Runtime?
    let configuration: String
    let sanitizers: [String]
    /// The paths of the test binaries in the archive.
    let binaries: [String]
    let libraries: [Library]
    /// The digest of each file by its path in the archive.
    let digests: [String: String]
    /// A Boolean value that indicates whether the archive contains the package's sources.
    let hasSources: Bool
}

extension TestArchiveManifest {
    var json: [UInt8] {
        var writer = JSONWriter(.indented)
        writer.object { writer in
            writer.member("version", Self.currentVersion)
            writer.member("package", package)
            writer.member("platform", platform)
            writer.member("swift", swift)
            writer.member("root", root)
            if let runtime {
                writer.object("runtime") { writer in
                    writer.member("directory", runtime.directory)
                    writer.member("libraries", runtime.libraries)
                    writer.member("sha256", runtime.digest)
                }
            }
            writer.member("configuration", configuration)
            writer.member("sanitizers", sanitizers)
            writer.member("binaries", binaries)
            writer.array("libraries") { writer in
                for library in libraries {
                    writer.object { writer in
                        writer.member("name", library.name)
                        writer.member("path", library.path)
                    }
                }
            }
            writer.member("sources", hasSources)
            writer.object("sha256") { writer in
                for (path, digest) in digests.sorted(by: { $0.key < $1.key }) { writer.member(path, digest) }
            }
        }
        return writer.bytes
    }

    /// Returns the version of a manifest, or `nil` if it is damaged.
    static func version(of bytes: [UInt8]) -> Int? { (try? JSONParser.parse(bytes))?["version"]?.integer }

    /// Parses a manifest. Returns `nil` if a member is missing.
    init?(json bytes: [UInt8]) {
        guard let node = try? JSONParser.parse(bytes), let package = node["package"]?.string,
            let platform = node["platform"]?.string, let swift = node["swift"]?.string,
            let root = node["root"]?.string, let configuration = node["configuration"]?.string,
            let digests = node["sha256"]?.members, let libraries = node["libraries"]?.array,
            let hasSources = node["sources"]?.bool
        else { return nil }
        self.package = package
        self.platform = platform
        self.swift = swift
        self.root = root
        self.configuration = configuration
        self.hasSources = hasSources
        runtime = node["runtime"].flatMap { node in
            guard let directory = node["directory"]?.string, let digest = node["sha256"]?.string else { return nil }
            return Runtime(directory: directory, libraries: Self.strings(node["libraries"]), digest: digest)
        }
        sanitizers = Self.strings(node["sanitizers"])
        binaries = Self.strings(node["binaries"])
        self.libraries = libraries.compactMap { node in
            guard let name = node["name"]?.string, let path = node["path"]?.string else { return nil }
            return Library(name: name, path: path)
        }
        self.digests = Dictionary(digests.compactMap { member in member.value.string.map { (member.name, $0) } }) { $1 }
    }

    private static func strings(_ node: JSONNode?) -> [String] { node?.array?.compactMap(\.string) ?? [] }
}
