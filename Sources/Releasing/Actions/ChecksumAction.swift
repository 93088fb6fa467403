package import LaneModel
package import LaneRun

import Archives
import Diagnostics
import Files
import LaneEvents
import Processes

/// `checksum`: writes SHA-256 sums as `sha256sum -c` reads them, or checks those that are there.
package struct ChecksumAction: StepAction {
    package init() {}

    package func summary(of settings: Settings) -> String {
        let files = patterns(settings).joined(separator: ", ")
        if settings.bool("verify") == true { return "check the SHA-256 sums of \(files)" }
        return "write the SHA-256 sums of \(files) \(settings.string("into").map { "into \($0)" } ?? "beside them")"
    }

    package func run(_ settings: Settings, in context: StepContext) throws(StepFailure) -> StepResult {
        let found = try ArtefactFiles.find(patterns(settings), below: context.directory).paths
        let files = found.filter {
            !ChecksumFile.isSums($0) && !$0.hasSuffix(ReleaseManifest.suffix) && $0 != settings.string("into")
        }
        if settings.bool("verify") == true {
            let check = ChecksumCheck(root: context.directory)
            try check.check(files, against: settings.string("into").map { [$0] } ?? check.sums(among: found))
            return StepResult(outputs: ["files": .list(files.map { .string($0) })])
        }
        guard !files.isEmpty else {
            throw StepFailure(status: ExitStatus.fileNotFound.rawValue, "there is no file that could have a sum")
        }
        var sums: [SumFile] = []
        if let path = settings.string("into") {
            var entries: [ChecksumFile.Entry] = []
            for file in files { entries.append(try entry(for: file, seenFrom: parentDirectory(path), context)) }
            sums = [SumFile(path: path, content: ChecksumFile(entries))]
        } else {
            for file in files {
                let entry = try entry(for: file, seenFrom: parentDirectory(file), context)
                sums.append(SumFile(path: file + ChecksumFile.suffix, content: ChecksumFile([entry])))
            }
        }
        for sum in sums { try write(sum.content, to: sum.path, context) }
        // Sums are nothing without their files, which a transaction would otherwise throw away.
        for file in files { context.transaction?.plan(.keep(relativePath: file)) }
        try SummedFiles(sums: sums, context: context).writeManifests()
        return StepResult(outputs: ["files": .list(sums.map { .string($0.path) })])
    }

    private func patterns(_ settings: Settings) -> [String] { settings.strings("files") ?? ["dist/*"] }

    private func entry(
        for file: String, seenFrom folder: String, _ context: StepContext
    ) throws(StepFailure) -> ChecksumFile.Entry {
        if context.cancellation.isCancelled { throw StepFailure("cancelled", cause: .cancelled) }
        let digest = try onArchives { () throws(ArchiveError) in
            try SHA256.digest(ofFile: "\(context.directory)/\(file)")
        }
        guard let name = relativeName(of: file, seenFrom: folder) else {
            throw .refused(["'\(file)' does not lie in '\(folder)' with its sums, so that nobody could check it there"])
        }
        return ChecksumFile.Entry(sum: digest.description, name: name)
    }

    private func relativeName(of file: String, seenFrom folder: String) -> String? {
        if folder == "." { return file }
        let name = relativePath(file, to: folder)
        return name == file ? nil : name
    }

    /// What is there already with the same content is left alone.
    private func write(_ content: ChecksumFile, to path: String, _ context: StepContext) throws(StepFailure) {
        let target = "\(context.directory)/\(path)"
        let bytes = Array(content.text.utf8)
        context.transaction?.plan(.keep(relativePath: path))
        if (try? readFile(target)) == bytes { return }
        let file = try onArchives { () throws(ArchiveError) in try OutputFile.write(bytes, to: target) }
        context.announce(Artifact(path: path, size: file.size, sha256: file.sha256.description))
    }
}
