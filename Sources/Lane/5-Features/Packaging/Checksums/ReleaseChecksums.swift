import Actions
import Archives
import Git
import OperatingSystem
import Text

/// The checksum file of all files that `package` writes, with its signature.
struct ReleaseChecksums {
    /// The path of the archive without its extension.
    let base: String
    /// A Boolean value that indicates whether the file is signed if git signs tags.
    let isSigned: Bool

    /// Writes the checksums and the signature, and verifies all files as a receiver does.
    func write(_ files: [WrittenFile], _ context: StepContext) throws(OperationFailure) -> [WrittenFile] {
        let entries = files.map { ChecksumFile.Entry(sum: $0.sha256.description, name: lastPathComponent($0.path)) }
            .filter { !ChecksumFile.isChecksumFile($0.name) }
        let path = base + ChecksumFile.suffix
        try convertingFileErrors { () throws(FileError) in
            // The signature of an earlier build would be wrong.
            for kind in ChecksumSignature.allCases { try removeTree(path + kind.suffix) }
        }
        var written = try convertingArchiveErrors { () throws(ArchiveError) in
            [try HashedOutputFile.write(Array(ChecksumFile(entries).text.utf8), to: path)]
        }
        if isSigned, let signer = try ReleaseSigner.find(context) { written.append(try signer.sign(path)) }
        let check = SignatureCheck(
            .any, git: Git(context, in: context.root), environment: context.environment, processes: context.processes)
        let report = try ReleaseVerification(
            directory: parentDirectory(path), file: lastPathComponent(path), signatures: check
        ).run()
        guard report.problems.isEmpty else { throw .refused(report.problems) }
        return written
    }
}
