import CLibrary
import OperatingSystem
import TestSupport

/// A change to a tree of files. Each change is atomic, and no file gets the same content twice.
enum TreeChange: Sendable {
    case write(String)
    case makeSubdirectory(String)
    case makePipe(String)
    case link(String, to: String)
    case remove(String)
    case move(String, to: String)
    case toggleExecutable(String)

    /// Generates changes of a tree `in` and of a tree `out` beside it, to which links in the first may refer.
    static var generator: Generator<TreeChange> {
        // Names that may be a file or a directory in turn, two Unicode forms of one letter, and invalid UTF-8.
        let names = ["a", "b", "c", "caf\u{E9}", "cafe\u{301}", String(pathBytes: [0x78, 0xE9])]
        let name = Generator<String>.element(of: names)
        let path = zip(.element(of: ["in", "in", "out"]), name.array(count: 1...3)).map { top, names in
            ([top] + names).joined(separator: "/")
        }
        let targets = [".", "..", "gone", "../out", "../../out", "../out/a", "/dev/null"] + names
        return .frequency([
            (5, path.map { .write($0) }), (4, path.map { .makeSubdirectory($0) }), (1, path.map { .makePipe($0) }),
            (4, zip(path, .element(of: targets)).map { .link($0, to: $1) }), (2, path.map { .remove($0) }),
            (2, zip(path, path).map { .move($0, to: $1) }), (1, path.map { .toggleExecutable($0) }),
        ])
    }
}

/// A tree on disk to which changes are applied, with a complete reading of its visible contents.
final class TreeModel {
    let directory: TemporaryDirectory
    private var count = 0

    init() throws {
        directory = try TemporaryDirectory()
        for name in ["in", "out"] { mkdir("\(directory.path)/\(name)", 0o755) }
    }

    /// Applies a change if it is possible.
    func apply(_ change: TreeChange) {
        switch change {
        case .write(let path): write(path)
        case .makeSubdirectory(let path): _ = at(path) { mkdir($0, 0o755) }
        case .makePipe(let path): _ = at(path) { mkfifo($0, 0o644) }
        case .link(let path, let target): _ = at(path) { path in withSystemPath(target) { symlink($0, path) } }
        case .remove(let path): remove(path)
        case .move(let path, let target): _ = at(path) { path in at(target) { rename(path, $0) } }
        case .toggleExecutable(let path):
            // A link may refer to a file of the system.
            guard fileKind(place(path)) == .file else { return }
            let mode: mode_t = at(path) { access($0, X_OK) } == 0 ? 0o644 : 0o755
            _ = at(path) { chmod($0, mode) }
        }
    }

    private func place(_ path: String) -> String { "\(directory.path)/\(path)" }

    private func at<Result>(_ path: String, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
        withSystemPath(place(path), body)
    }

    /// Writes an existing file in place, and creates a new file atomically.
    private func write(_ path: String) {
        count += 1
        let bytes = Array("\(count)".utf8)
        if fileKind(place(path)) == .file {
            let descriptor = at(path) { open($0, O_WRONLY | O_CLOEXEC) }
            guard descriptor >= 0 else { return }
            _ = pwrite(descriptor, bytes, bytes.count, 0)
            close(descriptor)
        } else if fileKind(place(path)) == nil {
            _ = try? directory.write("\(count)", to: ".new")
            _ = at(".new") { new in at(path) { rename(new, $0) } }
        }
    }

    /// Removes a whole directory at once: renames it to a hidden name, and then removes it.
    private func remove(_ path: String) {
        guard path.pathComponents.count > 1 else { return }
        _ = at(path) { path in at(".old") { rename(path, $0) } }
        try? removeTree(place(".old"))
    }

    /// Returns the visible contents of `in` by path. Files are listed by every path that enters no directory twice.
    /// Directories are omitted.
    func observation() -> [[UInt8]: String] {
        var seen: [[UInt8]: String] = [:]
        var way: [String] = []
        var next = resolvedPath(directory.path) ?? ""
        while next != "/" {
            way.append(next)
            next = parentDirectory(next)
        }
        observe("in", way + ["/"], &seen)
        return seen
    }

    private func observe(_ parent: String, _ way: [String], _ seen: inout [[UInt8]: String]) {
        guard let here = resolvedPath(place(parent)), !way.contains(where: { $0.utf8.elementsEqual(here.utf8) }) else {
            return
        }
        for name in (try? listDirectory(place(parent))) ?? [] {
            let path = "\(parent)/\(name)"
            let isLink = fileKind(place(path)) == .link
            if isDirectory(place(path)) {
                if isLink { seen[Array(path.utf8)] = "link to \(resolvedPath(place(path))?.pathBytes ?? [])" }
                observe(path, way + [here], &seen)
            } else if let bytes = try? readFile(place(path)) {
                seen[Array(path.utf8)] = "\(bytes) \(at(path) { access($0, X_OK) })"
            } else if fileExists(place(path)) {
                seen[Array(path.utf8)] = "special"
            } else {
                seen[Array(path.utf8)] = "dangling \((try? linkTarget(place(path)))?.pathBytes ?? [])"
            }
        }
    }
}
