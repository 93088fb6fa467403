import Archives
import OperatingSystem
import Text

/// The names of the files that may verify a file of a release.
package enum ReleaseCompanions {
    /// Returns the names of the checksum files, the bills of materials and the provenance beside a file.
    package static func names(of file: String) -> [String] {
        var names = [file + ChecksumFile.suffix, ChecksumFile.commonName]
        let ends = [".artifactbundle.zip", ".tar.gz", ".tgz", ".zip", DebianPackage.suffix, ContainerImage.suffix]
        for end in ends where file.hasSuffix(end) {
            let base = file.dropLast(end.utf8.count)
            names += ([ChecksumFile.suffix, ProvenanceStatement.suffix] + ListedContents.suffixes).map { base + $0 }
            break
        }
        return names
    }

    /// Returns the names in a checksum file that are plain file names.
    package static func names(listedIn path: String) -> [String] {
        let text = (try? readText(path)) ?? ""
        return (ChecksumFile(reading: text)?.entries ?? []).map(\.name).filter(isFileName)
    }

    /// Returns the names of possible signatures of the checksum files in a directory.
    package static func signatures(in directory: String) -> [String] {
        ((try? listDirectory(directory)) ?? []).filter(ChecksumFile.isChecksumFile).flatMap { name in
            ChecksumSignature.allCases.map { name + $0.suffix }
        }
    }

    /// Returns a Boolean value that indicates whether a name is that of a visible file in a directory.
    package static func isFileName(_ name: String) -> Bool {
        ArchivePath.isSafe(name) && name.pathComponents.count == 1 && !name.hasPrefix(".")
    }
}
