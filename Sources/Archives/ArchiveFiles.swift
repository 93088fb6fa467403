extension ArchiveContents {
    /// Writes a `.tar.gz` whose bytes depend on nothing but the entries, `modified`, `level` and libdeflate's version.
    ///
    /// - Parameters:
    ///   - modified: The time of every entry, in seconds since 1970.
    ///   - level: 1 (fast) to 12 (small), as libdeflate counts.
    ///   - threads: How many compress at a time, at least 1; makes no difference to the bytes.
    package func writeTarGzip(
        to path: String, modified: Int64, level: Int = 6, threads: Int = 1
    ) throws(ArchiveError) -> WrittenFile {
        let file = try OutputFile(path)
        var gzip = GzipWriter(level: level, threads: threads) { (member) throws(ArchiveError) in
            try file.write(member)
        }
        let tar = TarWriter(modified: modified) { (bytes) throws(ArchiveError) in try gzip.write(bytes) }
        try tar.write(self)
        try gzip.finish()
        return try file.finish()
    }
}
