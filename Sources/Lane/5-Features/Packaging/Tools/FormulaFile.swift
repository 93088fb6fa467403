import Actions
import Archives
import Events
import Expressions
import Git
import LaneModel
import OperatingSystem
import Text
import Versioning

/// The Homebrew formula of a release, with its checksum and a manifest of its own. It names the archives of all machines, so
/// the machine that makes the release replaces the formulas of parts.
struct FormulaFile {
    /// The extension of the manifest.
    static let manifestSuffix = HomebrewFormula.suffix + ReleaseManifest.suffix

    let settings: Settings
    let context: StepContext
    /// The name of the package.
    let name: String
    let version: SemanticVersion
    /// The directory of the package.
    let directory: String

    /// Writes the formula, its checksum and the manifest.
    ///
    /// - Parameters:
    ///   - archives: The archives of all machines.
    ///   - program: The name of a program.
    func write(
        archives: [(name: String, sha256: String)], program: String, in output: String
    ) throws(OperationFailure) {
        let git = Git(context)
        let address = try git.origin()
        guard let page = address.flatMap(PackageRecord.published).flatMap(PackageRecord.homepage) else {
            let found = address.map { "'origin' is '\(PackageRecord.published($0) ?? $0)'\nhint: git remote set-url" }
            let reason = found ?? "there is no remote 'origin'\nhint: git remote add"
            throw .refused(["the formula needs the web address of the repository, and \(reason) origin URL"])
        }
        let description = ToolDescription(settings, of: name, in: directory)
        let tag = try WorkingVersion.findIfAny(settings, in: context)?.tag ?? version.description
        let file = PackageOrder.fileName(name)
        let formula = HomebrewFormula(
            name: file, version: version, summary: description.summary, homepage: page, tag: tag,
            license: description.license, archives: archives, program: program)
        let base = "\(context.directory)/\(output)/\(file)\(HomebrewFormula.suffix)"
        let written = try convertingArchiveErrors { () throws(ArchiveError) in
            try HashedOutputFile.write(Array(formula.text.utf8), to: base)
        }
        let sums = try ReleaseChecksums(base: base, isSigned: settings.bool("sign") ?? false).write([written], context)
        for file in [written] + sums { context.keep(file, in: output) }
        try ReleaseManifest(version: version, commit: try git.head(), files: [written] + sums)
            .write(to: "\(output)/\(file)\(Self.manifestSuffix)", context)
    }
}

extension ReleaseManifest {
    /// Creates the manifest of written files.
    init(version: SemanticVersion, commit: String, files: [WrittenFile]) {
        self.init(
            version: version.description, commit: commit,
            files: files.map { File(name: lastPathComponent($0.path), size: $0.size, sha256: $0.sha256.description) })
    }
}

extension StepContext {
    /// Announces a created file, which a transaction keeps.
    func keep(_ file: WrittenFile, in output: String) {
        let path = "\(output)/\(lastPathComponent(file.path))"
        transaction?.plan(.keep(relativePath: path))
        announce(Artifact(path: path, size: file.size, sha256: file.sha256.description))
    }
}
