import Actions
import Archives
import Git
import OperatingSystem
import Text

/// A file of SHA-256 checksums in the format of `sha256sum`: a line for each file with the checksum, two spaces and the
/// name.
package struct ChecksumFile: Equatable {
    struct Entry: Equatable {
        /// The 64 lowercase hexadecimal digits.
        let sum: String
        /// The path relative to the directory of the checksum file.
        let name: String
    }

    /// The extension of checksum files, which need no checksum themselves.
    package static let suffix = ".sha256"
    package static let commonName = "SHA256SUMS"

    var entries: [Entry]

    init(_ entries: [Entry]) {
        self.entries = entries
    }

    /// Parses a file. Returns `nil` if a line is invalid. Accepts the variants of other tools: `*` before the name, `./`
    /// at its start, uppercase digits, CR LF.
    init?(reading text: String) {
        entries = []
        for line in text.lines {
            guard let entry = Self.entry(line) else { return nil }
            entries.append(entry)
        }
    }

    /// Returns the number of the first invalid line in a text and the line, or `nil` if all are valid.
    static func invalidLine(in text: String) -> (number: Int, line: String)? {
        for (index, line) in text.lines.enumerated() where entry(line) == nil { return (index + 1, line) }
        return nil
    }

    var text: String { entries.map { Self.line($0) + "\n" }.joined() }

    static func isChecksumFile(_ path: String) -> Bool {
        path.hasSuffix(suffix) || path == commonName || path.hasSuffix("/\(commonName)")
    }

    /// Returns the line of an entry. A backslash before the checksum indicates that the name contains escapes.
    private static func line(_ entry: Entry) -> String {
        let name = entry.name.unicodeScalars.map { scalar in
            switch scalar {
            case "\\": "\\\\"
            case "\n": "\\n"
            case "\r": "\\r"
            default: String(scalar)
            }
        }.joined()
        return "\(name == entry.name ? "" : "\\")\(entry.sum)  \(name)"
    }

    private static func entry(_ line: String) -> Entry? {
        let isEscaped = line.utf8.first == backslash
        let rest = line.utf8.dropFirst(isEscaped ? 1 : 0)
        let sum = rest.prefix(64)
        let gap = rest.dropFirst(64).prefix(2)
        let name = rest.dropFirst(66)
        guard sum.count == 64, sum.allSatisfy(\.isHexDigit), !name.isEmpty,
            gap.elementsEqual("  ".utf8) || gap.elementsEqual(" *".utf8)
        else { return nil }
        var path = isEscaped ? String(decoding: unescaped(name), as: UTF8.self) : String(Substring(name))
        while path.hasPrefix("./"), path.utf8.count > 2 { path.removeFirst(2) }
        return Entry(sum: String(Substring(sum)).lowercased(), name: path)
    }

    private static func unescaped(_ name: some Sequence<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var isEscape = false
        for byte in name {
            if !isEscape, byte == backslash {
                isEscape = true
                continue
            }
            switch (isEscape, byte) {
            case (true, UInt8(ascii: "n")): result.append(UInt8(ascii: "\n"))
            case (true, UInt8(ascii: "r")): result.append(UInt8(ascii: "\r"))
            default: result.append(byte)
            }
            isEscape = false
        }
        return isEscape ? result + [backslash] : result
    }

    private static let backslash = UInt8(ascii: "\\")
}

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
        try ChecksumSignature.remove(beside: path)
        var written = try convertingArchiveErrors { () throws(ArchiveError) in
            [try HashedOutputFile.write(Array(ChecksumFile(entries).text.utf8), to: path)]
        }
        if isSigned, let signer = try ReleaseSigner.find(context) { written.append(try signer.sign(path)) }
        let report = try ReleaseVerification(
            directory: parentDirectory(path), file: lastPathComponent(path), signatures: SignatureCheck(context)
        ).run()
        guard report.problems.isEmpty else { throw .refused(report.problems) }
        return written
    }
}
