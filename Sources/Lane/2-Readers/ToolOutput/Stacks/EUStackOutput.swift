import Text

extension ThreadStack {
    /// Returns the stacks in the output of `eu-stack -m`, in the order of the output.
    ///
    /// A thread starts with `TID 17:`, and its frames are `#0  0x00007f31 name - /path/of/library`. The name is missing
    /// in a frame without a symbol.
    package static func parse(euStack output: [UInt8]) -> [ThreadStack] {
        var threads: [ThreadStack] = []
        for line in String(decoding: output, as: UTF8.self).lines {
            if line.hasPrefix("TID ") {
                threads.append(ThreadStack())
            } else if !threads.isEmpty, let frame = StackFrame(euStack: line) {
                threads[threads.count - 1].frames.append(frame)
            }
        }
        return threads
    }
}

extension StackFrame {
    fileprivate init?(euStack line: String) {
        guard line.hasPrefix("#"), let address = line.range(of: " 0x") else { return nil }
        let rest = line[address.upperBound...].dropping { !$0.isBlank }
        // A demangled C++ name may also contain the separator.
        var mark: Range<String.Index>?
        while let next = rest.range(of: " - /", after: mark?.upperBound) { mark = next }
        let symbol = mark.map { rest[..<$0.lowerBound] } ?? rest
        let library = mark.map { rest[$0.lowerBound...].dropFirst(3) }
        self.init(String(symbol.dropping { $0.isBlank }), library: library.map(String.init))
    }
}
