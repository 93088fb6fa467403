import Files
import LaneEvents
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Keeps the whole output of every step in a file of its own. A log that cannot be made is not kept: what it would
/// hold is on the screen, too.
final class StepLogs: Sendable {
    /// Relative to the root.
    private static let folder = ".lane/logs"

    private let root: String
    private let lane: String
    private let open = Mutex<[StepID: Int32]>([:])

    /// Clears the logs of the lane's last run.
    init(root: String, lane: String) {
        self.root = root
        self.lane = lane
        try? removeTree("\(root)/\(Self.folder)/\(lane)")
    }

    /// Where a step's log is, relative to the root.
    func path(of step: StepID) -> String {
        // Ids begin with the lane's name; what is left becomes the name of one file.
        let text = step.description
        let short = text.hasPrefix(lane + "/") ? text.dropFirst(lane.utf8.count + 1) : text[...]
        return "\(Self.folder)/\(lane)/\(short.map { $0 == "/" ? "." : String($0) }.joined()).log"
    }

    /// Gives the first failure to write a step's log; from then on that log is not written.
    func append(_ bytes: [UInt8], of step: StepID) -> FileError? {
        let descriptor = open.withLock { $0[step] } ?? create(step)
        guard descriptor >= 0 else { return nil }
        do throws(FileError) {
            try bytes.withUnsafeBufferPointer { (bytes) throws(FileError) in
                try writeAll(UnsafeRawBufferPointer(bytes), to: descriptor, named: path(of: step))
            }
            return nil
        } catch {
            finish(step)
            open.withLock { $0[step] = -1 }
            return error
        }
    }

    /// Sees to it that the step has a log, if only an empty one, as messages name it.
    func keep(_ step: StepID) {
        if open.withLock({ $0[step] == nil }) { _ = create(step) }
    }

    func finish(_ step: StepID) {
        guard let descriptor = open.withLock({ $0.removeValue(forKey: step) }), descriptor >= 0 else { return }
        close(descriptor)
    }

    private func create(_ step: StepID) -> Int32 {
        try? makeDirectories("\(root)/\(Self.folder)/\(lane)")
        let descriptor = Self.openFile("\(root)/\(path(of: step))")
        open.withLock { $0[step] = descriptor }
        return descriptor
    }

    private static func openFile(_ path: String) -> Int32 {
        #if canImport(Glibc)
            Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        #else
            Darwin.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        #endif
    }
}
