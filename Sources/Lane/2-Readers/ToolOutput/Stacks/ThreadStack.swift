/// The stack of a thread.
package struct ThreadStack: Sendable, Equatable {
    /// The frames, innermost first.
    package var frames: [StackFrame] = []

    package init(_ frames: [StackFrame] = []) { self.frames = frames }
}

/// A call on a stack.
package struct StackFrame: Sendable, Equatable {
    /// The symbol name in the program. Swift symbols are mangled.
    let symbol: String
    /// The path of the program or library, or `nil` if the tool does not print it.
    let library: String?
    /// The file and the line, such as `Sources/Bank/Bank.swift:12`, or `nil` if the tool does not print them.
    let location: String?

    package init(_ symbol: String, library: String? = nil, location: String? = nil) {
        self.symbol = symbol
        self.library = library
        self.location = location
    }
}
