package import Archives
package import OperatingSystem
import Text

/// A writer of archives that contain built tests and everything that they need on another machine.
///
/// The archive contains `manifest.json`, the list of the tests of each binary in `lists`, the recorded durations in
/// `durations`, the products of the build in `products`, libraries of the machine in `libraries`, and, if requested,
/// the package in `sources`.
package struct TestArchiveWriter: Sendable {
    private let tests: BuiltTests
    private let options: TestOptions
    private let environment: [String: String]
    private let processes: any ProcessRunner

    /// Creates a writer for tests that were built with `options`.
    package init(
        _ tests: BuiltTests, options: TestOptions, environment: [String: String], processes: any ProcessRunner
    ) {
        self.tests = tests
        self.options = options
        self.environment = environment
        self.processes = processes
    }

    /// The compression level. At this level, compression is as fast as writing the file.
    private static let level = 1

    /// Writes the archive.
    ///
    /// - Parameters:
    ///   - sources: The directories in the package that are not part of its sources, or `nil` to omit the sources.
    ///   - threads: The number of threads that compress.
    package func write(
        to path: String, sourcesWithout sources: [String]?, threads: Int
    ) throws(TestArchiveError) -> WrittenFile {
        guard let lists = tests.lists else { throw .unlistable }
        let directory = tests.productsDirectory
        let products = BuildProducts(in: directory)
        let libraries = LoadedLibraries(
            of: products.programs.map { "\(directory)/\($0)" }, environment: environment, processes: processes)
        let others = libraries.others(than: [directory] + (libraries.runtimeDirectory.map { [$0] } ?? []))
        var entries: [ArchiveEntry] = []
        for name in products.programs {
            entries.append(
                try packing { () throws(ArchiveError) in try .entry("products/\(name)", "\(directory)/\(name)") })
        }
        for name in products.bundles {
            entries += try packing { () throws(ArchiveError) in
                try ArchiveContents.tree(at: "\(directory)/\(name)").below("products/\(name)").entries
            }
        }
        for (name, path) in others {
            entries.append(ArchiveEntry("libraries/\(name)", .file(path, isExecutable: false)))
        }
        for (index, list) in lists.enumerated() {
            entries.append(ArchiveEntry("lists/\(index)", .bytes(list, isExecutable: false)))
        }
        if let durations = tests.durations?.text {
            entries.append(ArchiveEntry("durations", .bytes(durations, isExecutable: false)))
        }
        if let sources { entries += try sourceEntries(without: sources + [path]) }
        let manifest = TestArchiveManifest(
            package: lastPathComponent(tests.sourceRoot), platform: Platform.name, swift: try swiftVersion(),
            root: tests.sourceRoot, runtime: try runtime(libraries), configuration: options.build.configuration,
            sanitizers: options.build.sanitizers,
            binaries: tests.binaryPaths.map { "products/\(lastPathComponent($0))" },
            libraries: others.map { TestArchiveManifest.Library(name: $0.name, path: $0.path) },
            digests: try digests(of: entries, threads: threads), hasSources: sources != nil)
        entries.append(ArchiveEntry(TestArchiveManifest.fileName, .bytes(manifest.json, isExecutable: false)))
        return try packing { () throws(ArchiveError) in
            try ArchiveContents(entries).writeTarGzip(to: path, modified: 0, level: Self.level, threads: threads)
        }
    }

    private func swiftVersion() throws(TestArchiveError) -> String {
        let run = try? processes.capture(Command("swift", ["--version"], environment: environment))
        return run?.text.split(separator: "\n").first { $0.contains("Swift version") }.map(String.init) ?? "Swift"
    }

    private func runtime(_ libraries: LoadedLibraries) throws(TestArchiveError) -> TestArchiveManifest.Runtime? {
        guard let directory = libraries.runtimeDirectory else { return nil }
        let digest = try packing { () throws(ArchiveError) in
            try SHA256.digest(ofFile: "\(directory)/libswiftCore.so")
        }
        return TestArchiveManifest.Runtime(
            directory: directory, libraries: libraries.names(in: directory), digest: digest.description)
    }

    private func digests(
        of entries: [ArchiveEntry], threads: Int
    ) throws(TestArchiveError) -> [String: String] {
        let files = entries.filter { if case .file = $0.content { true } else { false } }
        let results = concurrentMap(files.count, threads: threads) { index -> Result<String, ArchiveError> in
            guard case .file(let source, _) = files[index].content else { return .success("") }
            do throws(ArchiveError) {
                return .success(try SHA256.digest(ofFile: source).description)
            } catch {
                return .failure(error)
            }
        }
        var digests: [String: String] = [:]
        for entry in entries {
            if case .bytes(let bytes, _) = entry.content { digests[entry.path] = SHA256.digest(of: bytes).description }
        }
        for (file, result) in zip(files, results) {
            digests[file.path] = try packing { () throws(ArchiveError) in try result.get() }
        }
        return digests
    }

    /// Returns the files of the package. Skips hidden files at its top, which belong to tools.
    private func sourceEntries(without excluded: [String]) throws(TestArchiveError) -> [ArchiveEntry] {
        var entries: [ArchiveEntry] = []
        var pending = [""]
        while let directory = pending.popLast() {
            let names = try convertingFileErrors(
                to: TestArchiveError.self, of: listDirectory("\(tests.sourceRoot)/\(directory)"))
            for name in names where !directory.isEmpty || !name.hasPrefix(".") {
                let path = directory.isEmpty ? name : "\(directory)/\(name)"
                let source = "\(tests.sourceRoot)/\(path)"
                guard !excluded.contains(source) else { continue }
                entries.append(try packing { () throws(ArchiveError) in try .entry("sources/\(path)", source) })
                if entries.last?.content == .directory { pending.append(path) }
            }
        }
        return entries
    }
}

extension ArchiveEntry {
    fileprivate static func entry(_ path: String, _ source: String) throws(ArchiveError) -> ArchiveEntry {
        try ArchiveContents.entry(path, from: source)
    }
}
