import Files

/// The directory `.lane` with logs, records and fetched sources.
enum StateDirectory {
    /// Creates the directory and excludes it from git. Does nothing if nothing can be written.
    static func create(in root: String) {
        let directory = "\(root)/.lane"
        guard !fileExists("\(directory)/.gitignore") else { return }
        try? makeDirectories(directory)
        try? writeFile("*\n", to: "\(directory)/.gitignore")
    }
}
