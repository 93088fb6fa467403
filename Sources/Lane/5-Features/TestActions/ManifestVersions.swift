import ChangeImpact
import Git
import OperatingSystem
import SwiftPackages
import Text

extension ChangedTests {
    /// The package at present.
    struct PackageState {
        let impact: ChangeImpact
        /// The output of `swift package dump-package`.
        let manifest: JSONNode
        /// The directory of the package in the repository.
        let prefix: String
    }

    /// Returns the difference between the manifest of a commit and that at present, or `nil` if it is unknown.
    ///
    /// - Parameter paths: The files that differ, relative to the root of the repository.
    func manifestChange(
        since commit: String, _ paths: [String], _ package: PackageState
    ) -> ManifestChange? {
        guard paths.contains(where: package.impact.isManifest) else {
            return ManifestChange(from: package.manifest, to: package.manifest)
        }
        guard let scratch = try? ScratchDirectory(for: environment, prefix: "lane-scratch-manifest") else { return nil }
        defer { scratch.remove() }
        let directory = package.prefix.isEmpty ? "" : "\(package.prefix)/"
        let list = ["ls-tree", "--name-only", "--full-tree", "-z", commit, "--", directory].filter { !$0.isEmpty }
        guard let listed = try? git.run(list) else { return nil }
        for name in listed.standardOutput.split(separator: 0).map({ String(pathBytes: $0) })
        where package.impact.isManifest(name) {
            guard let text = try? git.run(["cat-file", "blob", "\(commit):\(name)"]).standardOutput,
                !ManifestChange.mayReadFiles(text),
                (try? writeFile(text, to: "\(scratch.path)/\(lastPathComponent(name))")) != nil
            else { return nil }
        }
        let present = ((try? listDirectory(self.directory)) ?? []).filter { package.impact.isManifest(directory + $0) }
        for name in present {
            guard let text = try? readFile("\(self.directory)/\(name)"), !ManifestChange.mayReadFiles(text) else {
                return nil
            }
        }
        guard let old = try? tools.dumpPackage(in: scratch.path) else { return nil }
        return ManifestChange(from: old, to: package.manifest)
    }
}
