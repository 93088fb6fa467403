extension ArchiveContents {
    /// Writes a reproducible `.tar.gz`. Its bytes depend only on the entries, `modified`, `level` and the version of
    /// libdeflate.
    ///
    /// - Parameters:
    ///   - modified: The modification time of all entries, in seconds since 1970.
    ///   - level: The compression level of libdeflate, from 1 (fast) to 12 (small).
    ///   - threads: The number of threads that compress, at least 1. It does not affect the bytes.
    package func writeTarGzip(
        to path: String, modified: Int64, level: Int = 6, threads: Int = 1
    ) throws(ArchiveError) -> WrittenFile {
        let file = try HashedOutputFile(path)
        var gzip = GzipWriter(level: level, threads: threads) { (member) throws(ArchiveError) in
            try file.write(member)
        }
        let tar = TarWriter(modified: modified) { (bytes) throws(ArchiveError) in try gzip.write(bytes) }
        try tar.write(self)
        try gzip.finish()
        return try file.finish()
    }
}
