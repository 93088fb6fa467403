import Archives
import CLibrary
import OperatingSystem
import Text

/// An unpacked archive of tests that this machine can run.
package struct TestArchive: Sendable {
    /// The tests of the archive.
    package let tests: BuiltTests
    /// The directory of the package's sources, if the archive contains them.
    package let sources: String?
    private let configuration: String
    private let sanitizers: [String]
    /// The directories of libraries that the tests load.
    private let libraryPath: [String]

    /// Unpacks an archive into an existing directory. Throws an error if the archive is incomplete, or if this machine
    /// has another platform or lacks the Swift runtime of the tests.
    ///
    /// - Parameters:
    ///   - path: The path of the archive.
    ///   - directory: A private directory.
    ///   - environment: The environment of the tests.
    package init(
        unpacking path: String, into directory: String, environment: [String: String]
    ) throws(TestArchiveError) {
        let files: [WrittenFile]
        do throws(ArchiveError) {
            files = try TarGzip.unpackTemporarily(path, into: directory)
        } catch {
            throw .cannotRead(path, error)
        }
        let manifest = try Self.manifest(of: path, in: directory)
        try Self.check(files, against: manifest, of: path, in: directory)
        guard manifest.platform == Platform.name else {
            throw .otherPlatform(expected: manifest.platform, found: Platform.name)
        }
        var libraryPath: [String] = []
        if let runtime = manifest.runtime {
            let found = try Machine.runtimeDirectory(for: runtime, swift: manifest.swift, environment: environment)
            if found != runtime.directory { libraryPath.append(found) }
        }
        // The libraries of this machine take precedence, so the directory keeps only missing libraries.
        for library in manifest.libraries where fileExists(library.path) {
            try convertingFileErrors(
                to: TestArchiveError.self, of: removeTree("\(directory)/libraries/\(library.name)"))
        }
        if manifest.libraries.contains(where: { !fileExists($0.path) }) { libraryPath.append("\(directory)/libraries") }
        self.libraryPath = libraryPath
        tests = try Self.tests(manifest, of: path, in: directory)
        sources = manifest.hasSources ? "\(directory)/sources" : nil
        configuration = manifest.configuration
        sanitizers = manifest.sanitizers
    }

    /// Returns the environment with the directories of libraries.
    package func environment(_ environment: [String: String]) -> [String: String] {
        guard !libraryPath.isEmpty else { return environment }
        var environment = environment
        let given = environment["LD_LIBRARY_PATH"].map { $0.isEmpty ? [] : [$0] } ?? []
        environment["LD_LIBRARY_PATH"] = (given + libraryPath).joined(separator: ":")
        return environment
    }

    /// Sets the options that the build of the tests determines.
    package func adapt(_ options: inout TestOptions) {
        options.build.isSkipped = true
        options.throughSwiftTest = false
        options.build.configuration = configuration
        options.build.sanitizers = sanitizers
    }

    /// Copies the sources to an existing directory. Does not change existing files and directories at its top.
    package func placeSources(in directory: String) throws(TestArchiveError) {
        guard let sources else { return }
        try convertingFileErrors(to: TestArchiveError.self) { () throws(FileError) in
            for name in try listDirectory(sources) where fileKind("\(directory)/\(name)") == nil {
                try Self.copy("\(sources)/\(name)", to: "\(directory)/\(name)")
            }
        }
    }

    private static func copy(_ path: String, to target: String) throws(FileError) {
        switch fileKind(path) {
        case .directory:
            try makeDirectories(target)
            for name in try listDirectory(path) { try copy("\(path)/\(name)", to: "\(target)/\(name)") }
        case .link:
            guard symlink(try linkTarget(path), target) == 0 else { throw FileError("write", target) }
        default: try writeFile(try readFile(path), to: target, mode: isExecutable(path) ? 0o777 : 0o666)
        }
    }

    private static func manifest(
        of path: String, in directory: String
    ) throws(TestArchiveError) -> TestArchiveManifest {
        let file = "\(directory)/\(TestArchiveManifest.fileName)"
        guard fileExists(file) else { throw .notTests(path) }
        let bytes = try convertingFileErrors(to: TestArchiveError.self, of: readFile(file))
        guard let version = TestArchiveManifest.version(of: bytes) else { throw .notTests(path) }
        guard version <= TestArchiveManifest.currentVersion else { throw .newerVersion(path, version) }
        guard let manifest = TestArchiveManifest(json: bytes) else {
            throw .damaged(path, reason: "its manifest is not complete")
        }
        return manifest
    }

    /// Throws an error if the digest of a file differs from the manifest.
    private static func check(
        _ files: [WrittenFile], against manifest: TestArchiveManifest, of path: String, in directory: String
    ) throws(TestArchiveError) {
        var missing = manifest.digests
        for file in files {
            let name = String(file.path.utf8.dropFirst(directory.utf8.count + 1)) ?? file.path
            guard name != TestArchiveManifest.fileName else { continue }
            guard let digest = missing.removeValue(forKey: name) else {
                throw .damaged(path, reason: "'\(name)' is not in its manifest")
            }
            guard digest == file.sha256.description else {
                throw .damaged(path, reason: "'\(name)' does not have the digest in its manifest")
            }
        }
        if let name = missing.keys.min() { throw .damaged(path, reason: "'\(name)' is missing") }
    }

    private static func tests(
        _ manifest: TestArchiveManifest, of path: String, in directory: String
    ) throws(TestArchiveError) -> BuiltTests {
        var binaries: [(path: String, list: [UInt8])] = []
        for (index, binary) in manifest.binaries.enumerated() {
            let list = try convertingFileErrors(to: TestArchiveError.self, of: readFile("\(directory)/lists/\(index)"))
            binaries.append((path: "\(directory)/\(binary)", list: list))
        }
        let durations = TestHistory(path: "\(directory)/durations")
        guard let tests = BuiltTests(binaries: binaries, sourceRoot: manifest.root, durations: durations) else {
            throw .damaged(path, reason: "its list of tests is not complete")
        }
        return tests
    }
}
