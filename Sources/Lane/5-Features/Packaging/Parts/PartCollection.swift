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
        let signatures = SignatureCheck(
            .any, git: Git(context, in: context.root), environment: context.environment, processes: context.processes)
        let parts = try VerifiedParts(in: source, commit: try git.head(), version: version, signatures: signatures)
            .parts.filter { !$0.isFormula }
        try context.makeOutputDirectory(output)
        let signer = settings.bool("sign") == true ? try ReleaseSigner.find(context) : nil
        var manifests: [String: ReleaseManifest] = [:]
        for part in parts {
            var manifest = part.manifest
            try removeSignatures(of: part)
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

    /// Removes the signatures of an earlier run, which would be wrong.
    private func removeSignatures(of part: VerifiedParts.Part) throws(OperationFailure) {
        for file in part.manifest.files where ChecksumFile.isChecksumFile(file.name) {
            try convertingFileErrors { () throws(FileError) in
                for kind in ChecksumSignature.allCases {
                    try removeTree("\(context.directory)/\(output)/\(file.name)\(kind.suffix)")
                }
            }
        }
    }

    /// Copies a file, and compares the bytes that it has written.
    private func copy(_ file: ReleaseManifest.File, from source: String) throws(OperationFailure) {
        let bytes = try convertingFileErrors { () throws(FileError) in try readRegularFile(source) }
        let copy = try convertingArchiveErrors { () throws(ArchiveError) in
            try HashedOutputFile.write(bytes, to: "\(context.directory)/\(output)/\(file.name)")
        }
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
        return .init(
            name: lastPathComponent(signature.path), size: signature.size, sha256: signature.sha256.description)
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
            let paths = try convertingArchiveErrors { () throws(ArchiveError) in
                try TarGzip.digests(ofFilesIn: "\(context.directory)/\(output)/\(file.name)")
            }
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
