import Text

extension ThreadStack {
    /// Returns the stacks in the output of gdb's `thread apply all backtrace`, in the order of the output.
    ///
    /// A thread starts with `Thread 2 (…):`, and its frames are `#0 0x00007f31 in name (arguments) at file:line` or `…
    /// from /path/of/library`. An inlined frame has no address.
    package static func parse(gdb output: [UInt8]) -> [ThreadStack] {
        var threads: [ThreadStack] = []
        for line in String(decoding: output, as: UTF8.self).lines {
            if line.hasPrefix("Thread ") {
                threads.append(ThreadStack())
            } else if !threads.isEmpty, let frame = StackFrame(gdb: line) {
                threads[threads.count - 1].frames.append(frame)
            }
        }
        return threads
    }
}

extension StackFrame {
    fileprivate init?(gdb line: String) {
        guard line.hasPrefix("#") else { return nil }
        var rest = line[...].dropping { !$0.isBlank }.dropping { $0.isBlank }
        if rest.hasPrefix("0x"), let mark = rest.range(of: " in ") { rest = rest[mark.upperBound...] }
        guard let arguments = rest.range(of: " (") else { return nil }
        let end = rest.utf8.lastIndex(of: UInt8(ascii: ")")) ?? rest.endIndex
        let origin = rest[end...].dropFirst()
        self.init(
            String(rest[..<arguments.lowerBound]),
            library: origin.hasPrefix(" from ") ? String(origin.dropFirst(6)) : nil,
            location: origin.hasPrefix(" at ") ? String(origin.dropFirst(4)) : nil)
    }
}
