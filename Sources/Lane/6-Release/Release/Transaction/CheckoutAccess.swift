import Git
import OperatingSystem

/// The check that a transaction can change the files of the checkout and of the repository. After the references have
/// moved, a failure would leave a release whose files are missing.
struct CheckoutAccess {
    let paths: TransactionPaths
    private let mounts = MountPoints()

    init(_ paths: TransactionPaths) {
        self.paths = paths
    }

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
