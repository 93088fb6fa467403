import OperatingSystem
import Text

/// The checksums beside a changed version. They are of the archive of the previous version.
enum StaleChecksums {
    /// The greatest distance in lines between a version and its checksum.
    private static let distance = 8

    /// Returns a note for each file with such checksums.
    ///
    /// - Parameter occurrences: The changed versions, sorted.
    static func notes(_ occurrences: [VersionOccurrence], in directory: String) -> [String] {
        VersionOccurrences.byFile(occurrences).compactMap { file, places in
            guard let bytes = try? readFile("\(directory)/\(file)") else { return nil }
            let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let changed = Set(places.map(\.line))
            let stale = lines.indices.map { $0 + 1 }.filter { number in
                guard changed.contains(where: { abs($0 - number) <= distance }) else { return false }
                let line = lines[number - 1]
                // The digest of another image is not a checksum of this package.
                let isDigest = String(decoding: line, as: UTF8.self).contains("@sha256:")
                return hasChecksum(line) && (!isDigest || changed.contains(number))
            }
            guard !stale.isEmpty else { return nil }
            let numbers = stale.map(String.init).joined(separator: ",")
            return "\(file):\(numbers): the checksum beside the version is that of another one; write the new one when "
                + "the archive exists"
        }
    }

    /// Returns a Boolean value that indicates whether a line contains a SHA-256 or SHA-512 in hexadecimal digits.
    private static func hasChecksum(_ line: ArraySlice<UInt8>) -> Bool {
        line.split { !$0.isAlphanumeric }.contains {
            ($0.count == 64 || $0.count == 128) && $0.allSatisfy(\.isHexDigit)
        }
    }
}
