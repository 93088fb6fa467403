import Text

/// A small program that uses a declaration. It is the proof of a break if it compiles with the old version and not with
/// the new one.
package struct Witness: Sendable, Equatable {
    /// The lines of the program.
    package let text: String
    /// The modules that it imports.
    package let modules: [String]
    /// A Boolean value that indicates whether the program only refers to a function without a call. A new parameter with
    /// a default value breaks such code, which is rare.
    package let isReference: Bool

    /// - Parameters:
    ///   - lines: The declarations of the program.
    ///   - context: The type to extend, and the constraints of the extension.
    init(
        _ lines: [String], in context: (type: String, constraints: [String])? = nil, importing modules: [String],
        isReference: Bool = false
    ) {
        var all = modules.map { "import \($0)" }
        if let context {
            let clause = context.constraints.isEmpty ? "" : " where " + context.constraints.joined(separator: ", ")
            all.append("extension \(context.type)\(clause) {")
            all += lines.flatMap(\.lines).map { "    " + $0 }
            all.append("}")
        } else {
            all += lines
        }
        text = all.joined(separator: "\n") + "\n"
        self.modules = modules
        self.isReference = isReference
    }
}
