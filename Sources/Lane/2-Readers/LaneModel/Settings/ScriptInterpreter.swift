import Text

/// The interpreter of a script in a `run` step: the setting `shell`, the `#!` line of the script, or `sh -eu`.
package struct ScriptInterpreter: Sendable, Equatable {
    /// The program and the arguments before the path of the script. Empty for `sh -eu`.
    package let words: [String]

    /// - Parameter shell: The value of the setting `shell`, if any.
    package init(shell: String?, script: String) {
        let line = script.utf8.prefix { $0 != UInt8(ascii: "\n") }
        let text = shell ?? (line.starts(with: "#!".utf8) ? String(Substring(line.dropFirst(2))) : "")
        words = text.utf8.split(whereSeparator: \.isSpace).map { String(Substring($0)) }
    }

    /// A Boolean value that indicates whether the program is a shell with the syntax of `sh`. Its scripts can contain
    /// expressions, whose values they read from variables.
    package var isShell: Bool {
        guard let program = words.first else { return true }
        var name = Self.fileName(program)
        // `env` also has options, such as `-S`, and variables before the program.
        if name == "env", let program = words.dropFirst().first(where: { !$0.hasPrefix("-") && !$0.contains("=") }) {
            name = Self.fileName(program)
        }
        return ["sh", "bash", "dash", "ksh", "zsh"].contains(name)
    }

    private static func fileName(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}
