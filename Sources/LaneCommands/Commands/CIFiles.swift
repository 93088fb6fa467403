import CIConfig
import Diagnostics
import Files

/// The generated files beside what is on disk.
struct CIFiles {
    let root: String
    let wanted: [GeneratedFile]

    /// Generated files that nobody wants any more, by their paths below the root.
    private var outdated: [String] {
        GeneratedFile.places.flatMap { folder in
            ((try? listDirectory("\(root)/\(folder)")) ?? []).map { "\(folder)/\($0)" }
        }.filter { path in
            guard path.hasSuffix(".yml"), !wanted.contains(where: { $0.path == path }) else { return false }
            return (try? readText("\(root)/\(path)")).map(GeneratedFile.isGenerated) ?? false
        }
    }

    /// `nil` when it is not there.
    private func present(_ path: String) throws(CommandFailure) -> String? {
        guard fileExists("\(root)/\(path)") else { return nil }
        return try onFiles { () throws(FileError) in try readText("\(root)/\(path)") }
    }

    func check(in world: World) throws(CommandFailure) -> ExitStatus {
        var differences: [String] = []
        for (path, text) in wanted.map({ ($0.path, $0.text) }) + outdated.map({ ($0, "") }) {
            let difference = UnifiedDiff(from: try present(path) ?? "", to: text).text(path)
            if !difference.isEmpty { differences.append(difference) }
        }
        guard !differences.isEmpty else {
            world.output.writeLine("\(count(wanted.count, "generated file")): up to date")
            return .done
        }
        for difference in differences { world.output.write(difference) }
        throw CommandFailure(
            .failed, "\(count(differences.count, "CI file")) not as the lanes say",
            hint: "run 'lane ci generate' and commit what it writes")
    }

    func write(replacing isForced: Bool, in world: World) throws(CommandFailure) -> ExitStatus {
        var foreign: [String] = []
        for file in wanted where !isForced {
            if let text = try present(file.path), !GeneratedFile.isGenerated(text) { foreign.append(file.path) }
        }
        guard foreign.isEmpty else {
            throw CommandFailure(
                .refused,
                "\(list(foreign.map { "'\($0)'" }, joinedBy: "and")) would be replaced, and was written by hand",
                hint: "move what is still needed to \(CIPlanReader.path), then add '--force'")
        }
        for file in wanted {
            let isNew = try present(file.path) != file.text
            if isNew {
                try onFiles { () throws(FileError) in
                    try makeDirectories(parentDirectory("\(root)/\(file.path)"))
                    try writeFile(file.text, to: "\(root)/\(file.path)")
                }
            }
            world.output.writeLine("\(isNew ? "written" : "kept   ")  \(file.path)")
        }
        for path in outdated {
            try onFiles { () throws(FileError) in try removeTree("\(root)/\(path)") }
            world.output.writeLine("removed  \(path)")
        }
        if let top = repositoryAbove {
            world.errors.writeLine(
                "warning: CI reads such files at the top of a repository only, which is '\(top)', and not '\(root)'")
        }
        return .done
    }

    /// The repository that the package is a part of, when it is not all of it.
    private var repositoryAbove: String? {
        var folder = root
        while fileKind("\(folder)/.git") == nil {
            guard folder != "/" else { return nil }
            folder = parentDirectory(folder)
        }
        return folder == root ? nil : folder
    }

    private func onFiles<Result>(_ body: () throws(FileError) -> Result) throws(CommandFailure) -> Result {
        do throws(FileError) { return try body() } catch { throw CommandFailure(.cannotWrite, error.description) }
    }
}
