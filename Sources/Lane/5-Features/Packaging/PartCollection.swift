import Actions
import Archives
import Events
import Expressions
import Git
import LaneModel
import OperatingSystem
import Text
import Versioning

/// A copy of verified parts to the directory of archives, in place of a build.
struct PartCollection {
    let settings: Settings
    let context: StepContext
    private var output: String { settings.string("output") ?? "dist" }

    func run(_ directory: String) throws(OperationFailure) -> StepResult {
        // The parts are no files of the commit, so they are not in a transaction's worktree.
        let source = absolutePath(directory, from: context.root)
        guard isDirectory(source) else { throw .refused(["there is no directory '\(directory)' with parts"]) }
        let git = Git(context)
        let version = try WorkingVersion.findIfAny(settings, in: context)?.version.description
        let parts = try VerifiedParts(
            in: source, commit: try git.head(), version: version, signatures: SignatureCheck(context)
        ).parts.filter { !$0.isFormula }
        try context.makeOutputDirectory(output)
        let signer = settings.bool("sign") == true ? try ReleaseSigner.find(context) : nil
        var manifests: [String: ReleaseManifest] = [:]
        for part in parts {
            var manifest = part.manifest
            for file in part.manifest.files where ChecksumFile.isChecksumFile(file.name) {
                try ChecksumSignature.remove(beside: "\(context.directory)/\(output)/\(file.name)")
            }
            for file in part.manifest.files {
                try copy(file, from: "\(source)/\(part.path(of: file.name))")
                guard let signer, let signature = try sign(file.name, of: part, signer) else { continue }
                manifest.files.append(signature)
            }
            let name = lastPathComponent(part.path)
            if var other = manifests[name] {
                other.add(manifest)
                manifest = other
            }
            manifests[name] = manifest
        }
        try writeFormula(of: parts)
        for (name, manifest) in manifests { try manifest.write(to: "\(output)/\(name)", context) }
        let names = Set(parts.map(\.directory)).sorted()
        context.report(.note, "verified \(count(names.count, "part")): \(list(firstOf: names, joinedBy: "and"))")
        return StepResult(outputs: outputs(of: parts, version))
    }

    /// Copies a file, and compares the bytes that it has written.
    private func copy(_ file: ReleaseManifest.File, from source: String) throws(OperationFailure) {
        let bytes = try convertingFileErrors(of: readFile(source))
        let copy = try convertingArchiveErrors(
            of: HashedOutputFile.write(bytes, to: "\(context.directory)/\(output)/\(file.name)"))
        guard copy.sha256.description == file.sha256 else {
            throw .refused(["'\(source)' was changed meanwhile"])
        }
        context.keep(copy, in: output)
    }

    /// Signs a checksum file, unless the part contains a signature. Returns `nil` for other files.
    private func sign(
        _ name: String, of part: VerifiedParts.Part, _ signer: ReleaseSigner
    ) throws(OperationFailure) -> ReleaseManifest.File? {
        guard ChecksumFile.isChecksumFile(name) else { return nil }
        let present = part.manifest.files.map(\.name)
        if ChecksumSignature.allCases.contains(where: { present.contains(name + $0.suffix) }) { return nil }
        let signature = try signer.sign("\(context.directory)/\(output)/\(name)")
        context.keep(signature, in: output)
        return .init(signature)
    }

    /// Writes the formula for the archives of all parts that contain programs.
    private func writeFormula(of parts: [VerifiedParts.Part]) throws(OperationFailure) {
        guard settings.strings("formats")?.contains("formula") == true else { return }
        let files = parts.flatMap(\.manifest.files)
        let provenance = files.first { $0.name.hasSuffix(ProvenanceStatement.suffix) }
            .flatMap { try? readFile("\(context.directory)/\(output)/\($0.name)") }
            .flatMap(ProvenanceStatement.init(reading:))
        guard let provenance, let version = SemanticVersion(provenance.version) else { return }
        var archives: [(name: String, sha256: String)] = []
        var programs: Set<String> = []
        for file in files where file.name.hasSuffix(".tar.gz") {
            let paths = try convertingArchiveErrors(
                of: TarGzip.digests(ofFilesIn: "\(context.directory)/\(output)/\(file.name)"))
            let found = paths.keys.compactMap { path -> String? in
                let components = path.pathComponents.dropFirst()
                guard components.count == 2, components.first == "bin" else { return nil }
                return components.last.map { String($0) }
            }
            if !found.isEmpty { archives.append((file.name, file.sha256)) }
            programs.formUnion(found)
        }
        guard let program = programs.min() else { return }
        try FormulaFile(
            settings: settings, context: context, name: settings.string("name") ?? provenance.name ?? program,
            version: version, directory: context.directory
        ).write(archives: archives, program: program, in: output)
    }

    /// Returns the outputs of `package` for the first archive.
    private func outputs(of parts: [VerifiedParts.Part], _ version: String?) -> [String: Value] {
        var outputs: [String: Value] = [:]
        if let version { outputs["version"] = .string(version) }
        let end = ".tar.gz"
        guard let archive = parts.flatMap(\.manifest.files).first(where: { $0.name.hasSuffix(end) }) else {
            return outputs
        }
        outputs["archive"] = .string("\(output)/\(archive.name)")
        outputs["sha256"] = .string(archive.sha256)
        outputs["name"] = .string(String(archive.name.dropLast(end.count)))
        return outputs
    }
}

/// The parts of a release: files that `package` and `checksum` created on other machines from the same commit. A part is
/// a directory with at least one manifest.
struct VerifiedParts {
    /// A manifest with its files.
    struct Part: Equatable {
        /// The path of the manifest, relative to the directory of all parts.
        let path: String
        let manifest: ReleaseManifest

        var directory: String { parentDirectory(path) }

        /// A Boolean value that indicates whether the part is a formula, which names the archives of one machine.
        var isFormula: Bool { path.hasSuffix(FormulaFile.manifestSuffix) }

        /// The path of a file, relative to the directory of all parts.
        func path(of file: String) -> String { sibling(file, of: path) }
    }

    /// The absolute path of the directory of all parts.
    let directory: String
    private(set) var parts: [Part] = []
    private var files: ReceivedFiles
    private var problems: [String] = []

    /// Reads and verifies all parts. Throws all problems together.
    ///
    /// - Parameters:
    ///   - commit: The commit that all files must be created from.
    ///   - version: The version that all files must have.
    init(
        in directory: String, commit: String, version: String?, signatures: SignatureCheck
    ) throws(OperationFailure) {
        self.directory = directory
        files = try convertingFileErrors(of: ReceivedFiles(in: directory, isRecursive: true))
        let manifests = files.names.filter { $0.hasSuffix(ReleaseManifest.suffix) }
        compareList(manifests)
        for path in manifests { read(path, commit: commit, version: version) }
        for part in parts { compare(part) }
        findOthers()
        if manifests.isEmpty, problems.isEmpty {
            problems.append("there is no part in '\(directory)': expected files '*\(ReleaseManifest.suffix)'")
        }
        try throwIfProblems()
        for part in Set(parts.map(\.directory)).sorted() {
            let verification = ReleaseVerification(
                directory: part == "." ? directory : "\(directory)/\(part)", file: nil, signatures: signatures)
            let report = try verification.run()
            problems += report.problems
            for statement in report.statements where statement.commit != commit {
                problems.append(
                    "the provenance in the part '\(part)' \(Self.mismatch(statement.commit, expected: commit))")
            }
        }
        try throwIfProblems()
    }

    private func throwIfProblems() throws(OperationFailure) {
        guard problems.isEmpty else { throw .refused(problems) }
    }

    /// Compares the manifests with the list, if there is one.
    private mutating func compareList(_ manifests: [String]) {
        guard files.contains(ReleaseNames.partsList) else { return }
        guard let text = try? readText(files.path(of: ReleaseNames.partsList)), let list = ChecksumFile(reading: text)
        else {
            problems.append(
                "'\(ReleaseNames.partsList)' is no checksum file: expected lines in the format of 'sha256sum'")
            return
        }
        for entry in list.entries {
            guard files.contains(entry.name) else {
                problems.append("the part '\(entry.name)' is missing, but '\(ReleaseNames.partsList)' lists it")
                continue
            }
            if let change = change(of: entry.name, expected: entry.sum) { problems.append("the part \(change)") }
        }
        let listed = Set(list.entries.map(\.name))
        for path in manifests where !listed.contains(path) {
            problems.append("the part '\(path)' is not in '\(ReleaseNames.partsList)'")
        }
    }

    private mutating func read(_ path: String, commit: String, version: String?) {
        guard let bytes = try? readFile(files.path(of: path)), let manifest = ReleaseManifest(reading: bytes),
            manifest.files.allSatisfy({ ReleaseCompanions.isFileName($0.name) })
        else {
            problems.append("'\(path)' is no manifest of 'package' or 'checksum'")
            return
        }
        parts.append(Part(path: path, manifest: manifest))
        if let other = manifest.version, let version, other != version {
            problems.append(
                "the part '\(path)' is of version \(other), not of \(version)\n"
                    + "hint: remove its files from the parts; 'dist' keeps those of earlier releases")
        } else if manifest.commit != commit {
            problems.append(
                "the part '\(path)' \(Self.mismatch(manifest.commit, expected: commit))\n"
                    + "hint: create all parts from the same commit, with the same author and SOURCE_DATE_EPOCH")
        }
        if !manifest.changes.isEmpty {
            problems.append(
                "the part '\(path)' was created in a checkout with changes: "
                    + list(firstOf: manifest.changes, joinedBy: "and"))
        }
    }

    private static func mismatch(_ found: String, expected commit: String) -> String {
        "is of the commit \(found.prefix(12)), not of \(commit.prefix(12))"
    }

    /// Compares the files of a part with its manifest.
    private mutating func compare(_ part: Part) {
        for file in part.manifest.files {
            let path = part.path(of: file.name)
            guard files.contains(path) else {
                problems.append("'\(path)' is missing, but '\(part.path)' lists it")
                continue
            }
            if let change = change(of: path, expected: file.sha256) { problems.append(change) }
        }
    }

    private mutating func change(of path: String, expected sum: String) -> String? {
        do throws(ArchiveError) {
            let found = try files.digest(of: path)
            return found == sum ? nil : "'\(path)' was changed: expected the SHA-256 \(sum), found \(found)"
        } catch {
            return error.description
        }
    }

    /// Finds files that no part lists, and different files of the same name.
    private mutating func findOthers() {
        var sums: [String: (path: String, sum: String)] = [:]
        var listed: Set<String> = [ReleaseNames.partsList]
        for part in parts {
            for file in part.manifest.files {
                let path = part.path(of: file.name)
                listed.insert(path)
                if part.isFormula { continue }
                if let other = sums[file.name], other.sum != file.sha256 {
                    problems.append("'\(other.path)' and '\(path)' have the same name, but different contents")
                }
                sums[file.name] = (path, file.sha256)
            }
        }
        for path in files.names where !listed.contains(path) && !path.hasSuffix(ReleaseManifest.suffix) {
            problems.append("'\(path)' is not in the manifest of a part")
        }
    }
}
