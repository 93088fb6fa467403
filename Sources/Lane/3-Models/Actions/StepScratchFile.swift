package import OperatingSystem

/// A temporary file of a running step: its script, or its outputs.
package struct StepScratchFile {
    private let directory: String
    /// The scratch directory, if the file is in `TMPDIR`.
    private let scratch: ScratchDirectory?
    private let name: String
    package var path: String { "\(directory)/\(name)" }

    /// Returns the directory of these files below `root`. If a run is killed, the next run removes it.
    package static func directory(below root: String) -> String { "\(root)/.lane/outputs" }

    /// Creates an empty file in a new directory below `root`, or in `TMPDIR` if `root` is not writable.
    package init(_ name: String, below root: String, for environment: [String: String]) throws(FileError) {
        self.name = name
        let parent = Self.directory(below: root)
        do {
            try makeDirectories(parent)
            directory = try makeTemporaryDirectory(in: parent, prefix: "step")
            scratch = nil
        } catch {
            let scratch = try ScratchDirectory(for: environment, prefix: "lane-scratch-output")
            directory = scratch.path
            self.scratch = scratch
        }
        do {
            try writeFile([], to: path)
        } catch {
            remove()
            throw error
        }
    }

    package func remove() {
        try? removeTree(directory)
    }
}
