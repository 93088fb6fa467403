import Files
import LaneRun

/// What the compiler knows of a package's public declarations, as files that DocC reads.
///
/// They are written by an ordinary build with folders of its own, so that its flags undo no other build's work.
struct SymbolGraphs: Sendable {
    /// The package's folder.
    let directory: String

    private var scratch: String { ".build/docs" }
    private var folder: String { "\(directory)/\(scratch)/symbols" }

    /// The command that writes those of a target, and of all it needs in this package.
    func build(_ target: PackageDescription.Target) -> [String] {
        [
            "swift", "build", "--target", target.name, "--scratch-path", scratch, "-Xswiftc", "-emit-symbol-graph",
            "-Xswiftc", "-emit-symbol-graph-dir", "-Xswiftc", folder,
        ]
    }

    func prepare() throws(StepFailure) {
        try onFiles { () throws(FileError) in try makeDirectories(folder) }
    }

    /// Copies those that are about one module into a folder: its own, and `Module@Other` for what it adds to others.
    func copy(of module: String, to target: String) throws(StepFailure) {
        try onFiles { () throws(FileError) in
            try removeTree(target)
            try makeDirectories(target)
            for name in try listDirectory(folder) where name == "\(module).symbols.json" || name.hasPrefix("\(module)@")
            {
                try writeFile(readFile("\(folder)/\(name)"), to: "\(target)/\(name)")
            }
        }
    }
}
