import Archives
package import Git
package import OperatingSystem
import Text

/// A check of the files of a release by their receiver: checksums, signatures, provenance and bills of materials.
package struct ReleaseVerification: Sendable {
    /// The directory of the files.
    let directory: String
    /// The only file to verify, or `nil` for all files of the directory. A checksum file stands for the files that it
    /// lists.
    let file: String?
    let signatures: SignatureCheck
    /// The tag that the files should be of, or `nil` for any.
    package var tag: String?
    /// A Boolean value that indicates whether files without provenance are refused, because nothing names their tag.
    package var requiresTag = false
    /// Git in a checkout, whose commits and tags are compared if it is a checkout of the same repository.
    package var checkout: Git?

    package init(directory: String, file: String?, signatures: SignatureCheck) {
        // A signature is verified with the file that it signs.
        let signed = file.flatMap(ChecksumSignature.signedFile)
        (self.directory, self.file, self.signatures) = (directory, signed ?? file, signatures)
    }

    package func run() throws(OperationFailure) -> VerificationReport {
        let isList = file.map(ChecksumFile.isChecksumFile) ?? false
        let only = isList ? nil : file
        var files = try convertingFileErrors(of: ReceivedFiles(in: directory, isRecursive: file == nil))
        guard !files.names.isEmpty else {
            throw OperationFailure(
                status: ExitStatus.fileNotFound.rawValue, "the directory contains no files to verify")
        }
        let paths = isList ? [file].compactMap(\.self) : files.names.filter(ChecksumFile.isChecksumFile)
        let checksums = ChecksumVerification(paths, only: only, of: &files)
        let documents = isList ? files.names.filter(checksums.covered.contains) : files.names
        var provenance = ProvenanceVerification(documents, only: only, of: files)
        try provenance.compare(&files, except: checksums.damaged, tag: tag, checkout: checkout)
        if requiresTag, let tag { provenance.require(tag) }
        let contents = ContentsVerification(
            documents, only: only, of: &files, except: checksums.damaged, required: provenance.subjects)
        var report = VerificationReport()
        report.rows = [
            checksumRow(checksums, &files, provenance.subjects.values.reduce(into: []) { $0.formUnion($1) }),
            try signatureRow(checksums, files), provenance.row, contents.row,
        ]
        report.statements = provenance.statements.map(\.statement)
        report.fileCount = only == nil ? checksums.covered.count : 1
        return report
    }

    /// - Parameter subjects: The files whose digests the provenance contains.
    private func checksumRow(
        _ checksums: ChecksumVerification, _ files: inout ReceivedFiles, _ subjects: Set<String>
    ) -> VerificationReport.Row {
        var row = VerificationReport.Row("checksums")
        let covered = checksums.covered
        let lists = list(firstOf: checksums.sums.map(\.path), joinedBy: "and")
        if !covered.isEmpty {
            row.pass("\(count(file.map { covered.contains($0) } == true ? 1 : covered.count, "file")) in \(lists)")
        }
        row.problems = checksums.problems
        let expected = file.map { ChecksumFile.isChecksumFile($0) ? [] : [$0] } ?? files.names
        for name in expected where !covered.contains(name) && !subjects.contains(name) {
            guard name == file || Self.needsChecksum(name) else { continue }
            // Browsers rename a file if there is another one with its name.
            if let digest = try? files.digest(of: name), let other = checksums.names[digest] {
                let isFree = fileKind(files.path(of: other.name)) == nil
                row.problems.append(
                    "'\(name)' has the contents of '\(other.name)' in '\(other.path)'"
                        + (isFree ? "\nhint: rename it to '\(other.name)'" : ""))
                continue
            }
            row.problems.append(
                checksums.sums.isEmpty
                    ? "'\(name)' has no checksum: expected it in '\(name)\(ChecksumFile.suffix)' or '\(ChecksumFile.commonName)'"
                    : "'\(name)' is in no checksum file")
        }
        if covered.isEmpty, subjects.isEmpty, row.problems.isEmpty { row.problems.append("no file has a checksum") }
        return row
    }

    private static func needsChecksum(_ name: String) -> Bool {
        !ChecksumFile.isChecksumFile(name) && !ChecksumSignature.isSignature(name)
            && !name.hasSuffix(ReleaseManifest.suffix)
    }

    /// Verifies the signatures of checksum files. If one is signed, all files must be in signed ones.
    private func signatureRow(
        _ checksums: ChecksumVerification, _ files: ReceivedFiles
    ) throws(OperationFailure) -> VerificationReport.Row {
        var row = VerificationReport.Row("signature")
        var signed: Set<String> = []
        var signers: [String] = []
        for sums in checksums.sums {
            for kind in ChecksumSignature.allCases where files.contains(sums.path + kind.suffix) {
                switch try signatures.check(sums.path, kind, in: directory) {
                case .trusted(let signer):
                    signers.append("'\(sums.path)' is signed by \(signer)")
                    signed.formUnion(checksums.listed[sums.path] ?? [])
                case .ignored: break
                case .invalid(let problem):
                    row.problems.append(problem)
                    signed.formUnion(checksums.listed[sums.path] ?? [])
                }
            }
        }
        if let first = signers.first {
            row.pass(signers.count == 1 ? first : "\(first), and \(count(signers.count - 1, "other checksum file"))")
        }
        if signed.isEmpty, signatures.isRequired {
            let expected = checksums.sums.first.map { ": expected '\($0.path)\(ChecksumSignature.ssh.suffix)'" } ?? ""
            row.problems.append("no checksum file is signed\(expected)")
        }
        guard !signed.isEmpty else { return row }
        let scope = file.map { ChecksumFile.isChecksumFile($0) ? checksums.covered : [$0] } ?? checksums.covered
        for name in scope.subtracting(signed).sorted() {
            row.problems.append("'\(name)' is in no signed checksum file")
        }
        return row
    }
}

/// The files of a release in a directory, with their digests. Hidden files don't count.
struct ReceivedFiles {
    let directory: String
    /// The paths relative to the directory, sorted.
    let names: [String]
    private let known: Set<String>
    private var digests: [String: Result<String, ArchiveError>] = [:]

    /// - Parameter isRecursive: A Boolean value that indicates whether the files of subdirectories count.
    init(in directory: String, isRecursive: Bool) throws(FileError) {
        self.directory = directory
        let entries = try listDirectory(directory)
        let names = isRecursive ? FilePattern("**").files(below: directory) : entries
        self.names = names.filter { name in
            !name.pathComponents.contains { $0.hasPrefix(".") } && !isDirectory("\(directory)/\(name)")
        }.sorted()
        known = Set(self.names)
    }

    /// Creates a value with some files of a directory.
    init(_ names: [String], in directory: String) {
        self.directory = directory
        self.names = names.sorted()
        known = Set(names)
    }

    func contains(_ name: String) -> Bool { known.contains(name) }

    func path(of name: String) -> String { "\(directory)/\(name)" }

    /// Returns the SHA-256 of a file, which is computed once.
    mutating func digest(of name: String) throws(ArchiveError) -> String {
        if let digest = digests[name] { return try digest.get() }
        let result: Result<String, ArchiveError>
        do throws(ArchiveError) {
            result = .success(try SHA256.digest(ofFile: path(of: name)).description)
        } catch {
            result = .failure(error)
        }
        digests[name] = result
        return try result.get()
    }
}

/// The result of a verification: one row for each kind of check.
package struct VerificationReport: Sendable {
    /// The result of one kind of check.
    package struct Row: Sendable {
        /// The subject in one word: `checksums`, `signature`.
        package let title: String
        /// A description of what was verified, or `none` if there is nothing to verify.
        package internal(set) var detail = "none"
        /// A Boolean value that indicates whether there is something to verify.
        package internal(set) var isPresent = false
        /// The problems, each with a sentence and perhaps a hint on a second line.
        package internal(set) var problems: [String] = []

        init(_ title: String) {
            self.title = title
        }

        mutating func pass(_ detail: String) {
            (self.detail, isPresent) = (detail, true)
        }
    }

    package var rows: [Row] = []
    /// The number of verified files.
    package internal(set) var fileCount = 0
    /// The provenance of the files.
    package internal(set) var statements: [ProvenanceStatement] = []

    package var problems: [String] { rows.flatMap(\.problems) }
}
