import Actions
import Archives
import Events
import Expressions
package import LaneModel
package import OperatingSystem
package import TestEngine
import Text

/// The options `--archive` and `--from` of `lane test`: packs built tests, and runs packed tests.
package struct TestArchiving {
    let settings: Settings
    /// The directory of the package.
    let directory: String
    let environment: [String: String]

    /// Creates the options from the settings of a step.
    package init(settings: Settings, directory: String, environment: [String: String]) {
        self.settings = settings
        self.directory = directory
        self.environment = environment
    }

    /// The path of the archive to write, if any.
    var target: String? { settings.string(TestSetting.archive) }
    /// The path of the archive to run, if any.
    private var source: String? { settings.string(TestSetting.from) }

    /// Builds the tests with an engine, and packs them.
    func pack(
        _ engine: TestEngine, _ options: TestOptions, to path: String, in context: StepContext
    ) throws(OperationFailure) -> StepResult {
        guard !options.throughSwiftTest else {
            throw OperationFailure(
                status: ExitStatus.usage.rawValue,
                "tests that 'swift test' runs, as on macOS and with 'through-swift-test', cannot be packed")
        }
        let tests: BuiltTests?
        do throws(TestEngineFailure) {
            tests = try engine.buildTests()
        } catch {
            throw OperationFailure(status: error.status.rawValue, error.message)
        }
        guard let tests else { throw OperationFailure(status: ExitStatus.buildFailed.rawValue, "the build failed") }
        let writer = TestArchiveWriter(
            tests, options: options, environment: environment, processes: context.processes)
        let withSources = settings.bool(TestSetting.withSources) ?? false
        let file: WrittenFile
        do throws(TestArchiveError) {
            file = try writer.write(to: path, sourcesWithout: withSources ? [] : nil, threads: availableProcessors)
        } catch {
            throw OperationFailure(status: ExitStatus.cannotWrite.rawValue, error.description)
        }
        context.announce(
            Artifact(
                path: relativePath(file.path, to: context.root), size: file.size, sha256: file.sha256.description))
        context.report(.note, "packed \(count(tests.testCount, "test")) into \(lastPathComponent(path))")
        return StepResult(outputs: ["planned": .integer(tests.testCount)])
    }

    /// The unpacked tests to run, and the directory to run them in.
    package struct Unpacked {
        package let archive: TestArchive
        package let directory: String
        package let scratch: ScratchDirectory
    }

    /// Unpacks the archive to run, if there is one.
    package func unpacked() throws(OperationFailure) -> Unpacked? {
        guard let source else { return nil }
        let scratch = try convertingFileErrors(of: ScratchDirectory(for: environment, prefix: "lane-scratch-archive"))
        do throws(TestArchiveError) {
            let archive = try TestArchive(unpacking: source, into: scratch.path, environment: environment)
            return Unpacked(archive: archive, directory: try workingDirectory(of: archive), scratch: scratch)
        } catch {
            scratch.remove()
            throw OperationFailure(status: Self.status(of: error).rawValue, error.description)
        }
    }

    /// Returns the exit status for an archive that cannot be unpacked.
    private static func status(of error: TestArchiveError) -> ExitStatus {
        switch error {
        case .cannotRead(_, .file(let error)): error.operation == "read" ? .fileNotFound : .cannotWrite
        case .cannotPrepare: .cannotWrite
        default: .refused
        }
    }

    /// Returns the directory in which the tests run: the packed sources, or the current package.
    ///
    /// In the directory in which the package was built, the sources are copied to their original paths, because
    /// `#filePath` refers to them. An existing package is not changed.
    private func workingDirectory(of archive: TestArchive) throws(TestArchiveError) -> String {
        guard let sources = archive.sources else { return directory }
        guard directory == archive.tests.sourceRoot else { return sources }
        if !fileExists("\(directory)/Package.swift") { try archive.placeSources(in: directory) }
        return directory
    }
}
