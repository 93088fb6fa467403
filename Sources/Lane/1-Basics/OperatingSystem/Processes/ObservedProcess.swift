import CLibrary
import Text

/// A snapshot of a running process, for diagnosis.
package struct ObservedProcess: Sendable, Equatable {
    /// The process ID.
    package let id: Int32
    /// The resolved path of its program, or `nil` if it is not known.
    package let program: String?
    /// The command line, with spaces between the words.
    package let commandLine: String

    package init(id: Int32, program: String?, commandLine: String) {
        self.id = id
        self.program = program
        self.commandLine = commandLine
    }

    #if os(Linux)
        /// Returns a process and its running descendants.
        package static func tree(of root: Int32) -> [ObservedProcess] {
            ProcessTable.withDescendants([root]).filter(ProcessTable.isAlive).map(ObservedProcess.init)
        }

        init(_ id: Int32) {
            let words = (ProcessTable.contents("/proc/\(id)/cmdline") ?? []).split(separator: 0)
            self.init(
                id: id, program: Self.program(of: id),
                commandLine: words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " "))
        }

        private static func program(of id: Int32) -> String? {
            var path = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink("/proc/\(id)/exe", &path, path.count)
            return count > 0 ? String(decoding: path[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
        }
    #else
        package static func tree(of root: Int32) -> [ObservedProcess] {
            [ObservedProcess(root)]
        }

        init(_ id: Int32) { self.init(id: id, program: nil, commandLine: "") }
    #endif
}

extension ObservedProcess: CustomStringConvertible {
    /// The start of the command line and the process ID, such as `'sleep 100' (process 123)`.
    package var description: String {
        guard !commandLine.isEmpty else { return "process \(id)" }
        return "'\(TerminalText.truncated(TerminalText.onOneLine(commandLine), to: 80))' (process \(id))"
    }
}
