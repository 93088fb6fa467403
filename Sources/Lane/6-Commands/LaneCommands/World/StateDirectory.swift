import OperatingSystem

/// The directory `.lane`, which contains logs, records and fetched sources.
enum StateDirectory {
    /// Creates the directory, and excludes it from git. Ignores errors.
    static func create(in root: String) {
        let directory = "\(root)/.lane"
        guard !fileExists("\(directory)/.gitignore") else { return }
        try? makeDirectories(directory)
        try? writeFile("*\n", to: "\(directory)/.gitignore")
    }
}
