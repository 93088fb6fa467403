import Git
import OperatingSystem

/// The check that a transaction can change the files of the checkout and of the repository. After the references have
/// moved, a failure would leave a release whose files are missing.
struct CheckoutAccess {
    let paths: TransactionPaths
    private let mounts = MountPoints()

    /// Throws the errors for the files of git that every transaction changes.
    func requireRepository(branch: String?) throws(OperationFailure) {
        let (own, common) = (paths.repository.gitDirectory, paths.repository.commonDirectory)
        var errors = [paths.userIndex, "\(common)/refs/tags/tag"].compactMap { replacementError(at: $0, mounts) }
        errors += ["\(own)/logs/HEAD"].compactMap(appendError)
        if let branch {
            errors += ["\(common)/\(branch)"].compactMap { replacementError(at: $0, mounts) }
            errors += ["\(common)/logs/\(branch)"].compactMap(appendError)
        }
        try refuse(errors)
    }

    /// Throws the errors for the files that differ between two commits, and for created files.
    func require(_ changes: [TreeChange], kept: [String] = []) throws(OperationFailure) {
        let files = changes.map { "\(paths.repository.topLevel)/\($0.path)" } + kept.map { "\(paths.root)/\($0)" }
        var errors = files.compactMap { replacementError(at: $0, mounts) }
        for path in kept {
            let target = "\(paths.root)/\(path)"
            // `mv` would move the file into this directory.
            if isDirectory(target) { errors.append(FileError("replace", target, code: FileError.isDirectory)) }
            let directory = nearestDirectory(above: target)
            if !isDirectory(directory) {
                errors.append(FileError("write to", directory, code: FileError.isNoDirectory))
            }
        }
        try refuse(errors)
    }

    /// Throws an error if a file system has not enough space for the files of the private worktree.
    func requireSpace(_ changes: [TreeChange], kept: [String]) throws(OperationFailure) {
        var needs: [FileIdentity.Device: (directory: String, sizes: [UInt64])] = [:]
        func add(_ source: String, to target: String, isMoved: Bool) {
            let directory = nearestDirectory(above: target)
            guard let device = FileIdentity(directory: directory)?.device, let size = try? fileSize(source) else {
                return
            }
            // A move in one file system needs no space.
            if isMoved, device == FileIdentity(directory: parentDirectory(source))?.device { return }
            needs[device, default: (directory, [])].sizes.append(UInt64(size))
        }
        for change in changes where change.new != nil {
            let source = "\(paths.worktree)/\(change.path)"
            guard fileKind(source) == .file else { continue }
            add(source, to: "\(paths.repository.topLevel)/\(change.path)", isMoved: false)
        }
        for path in kept { add("\(paths.package)/\(path)", to: "\(paths.root)/\(path)", isMoved: true) }
        // The checkout's next index and its copy, the journal, and the entries of directories
        add(paths.userIndex, to: paths.userIndex, isMoved: false)
        add(paths.userIndex, to: paths.index, isMoved: false)
        let reserve: UInt64 = 64 * 1024
        var problems: [String] = []
        for (directory, sizes) in needs.values.sorted(by: { $0.directory < $1.directory }) {
            guard let free = FreeSpace(at: directory) else { continue }
            let needed = sizes.reduce(reserve) { $0 + ($1 / free.blockSize + 1) * free.blockSize }
            guard free.bytes < needed else { continue }
            problems.append(
                "the release needs \(needed / 1024) KiB in '\(directory)', where \(free.bytes / 1024) KiB are free")
        }
        guard problems.isEmpty else { throw .refused(problems) }
    }

    /// Throws the distinct errors, at most six of them.
    private func refuse(_ errors: [FileError]) throws(OperationFailure) {
        var distinct: [FileError] = []
        for error in errors where !distinct.contains(error) { distinct.append(error) }
        guard !distinct.isEmpty else { return }
        let most = 6
        let rest = distinct.count > most ? ["\(distinct.count - most) other files cannot be written"] : []
        throw .refused(distinct.prefix(most).map(\.message) + rest)
    }
}

/// A path that differs between two commits.
struct TreeChange: Equatable {
    let path: String
    /// The hashes of the blobs, or `nil` if the path does not exist.
    let old: String?
    let new: String?

    static func between(_ old: String, _ new: String, git: Git) throws(OperationFailure) -> [TreeChange] {
        let output = try git.run(["diff-tree", "-r", "-z", "--no-renames", old, new]).standardOutput
        let fields = output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        return stride(from: 0, to: fields.count - 1, by: 2).compactMap { index in
            let words = fields[index].split(separator: " ").map(String.init)
            guard words.count >= 5 else { return nil }
            let ids = words[2...3].map { id in id.allSatisfy { $0 == "0" } ? nil : id }
            return TreeChange(path: fields[index + 1], old: ids[0], new: ids[1])
        }
    }

    /// Returns a Boolean value that indicates whether the file in the checkout can be replaced without loss. It can if
    /// it is missing, equal to one of the two versions, or a truncated copy of the new version.
    func isUntouched(in git: Git) throws(OperationFailure) -> Bool {
        let file = "\(git.directory)/\(path)"
        guard let kind = fileKind(file) else { return true }
        if kind == .link {
            guard let target = try? linkTarget(file) else { return false }
            for blob in [old, new].compactMap(\.self)
            where try git.run(["cat-file", "blob", blob]).standardOutput == target.pathBytes { return true }
            return false
        }
        guard kind == .file else { return false }
        let present = try git.text(["hash-object", "--", path])
        if present == old || present == new { return true }
        guard let new else { return false }
        let whole = try git.run(["cat-file", "--filters", "--path=\(path)", new]).standardOutput
        let part = try convertingFileErrors(of: readFile(file))
        return whole.starts(with: part)
    }
}
