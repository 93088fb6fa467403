import Text

/// The variables of a makefile, expanded to text of a shell script.
struct MakeVariables {
    private enum Value {
        case text(String)
        /// A default for an environment variable.
        case fallback(String)
        /// A value that depends on a condition.
        case unknown
    }

    private var values: [String: Value] = [:]
    /// A Boolean value that indicates whether the file defines all variables and includes no other file.
    var isComplete = true
    /// The names of exported variables.
    private var exported: [String] = []

    /// The exported variables with literal values.
    var environment: [(name: String, value: String)] {
        exported.compactMap { name in
            guard case .text(let text)? = values[name], !text.contains("$") else { return nil }
            return (name, text)
        }
    }

    /// The shell of the recipes, or `nil` for the default.
    var shell: String? {
        guard case .text(let path)? = values["SHELL"] else { return nil }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard name != "sh" else { return nil }
        if case .text(let flags)? = values[".SHELLFLAGS"] {
            return
                "\(name) \(flags.split(separator: " ").filter { $0 != "-c" }.map { $0 == "-ec" ? "-e" : $0 }.joined(separator: " "))"
        }
        return name
    }

    /// Parses a line. Returns a Boolean value that indicates whether it defines a variable.
    mutating func define(_ line: String, isConditional: Bool) -> Bool {
        let text = line.hasPrefix("export ") ? String(line.dropFirst("export ".count)) : line
        guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else {
            if text.utf8.count < line.utf8.count { exported += text.split(separator: " ").map(String.init) }
            return text.utf8.count < line.utf8.count
        }
        let head = text[..<equals]
        let name = head.prefix { !":?+!".contains($0) }.trimmed
        guard !name.isEmpty, name.utf8.allSatisfy({ $0.isIdentifierContinuation || "-.".utf8.contains($0) }) else {
            return false
        }
        if text.utf8.count < line.utf8.count { exported.append(name) }
        let value = text[text.utf8.index(after: equals)...].prefix { $0 != "#" }.trimmed
        if isConditional || head.hasSuffix("!") {
            values[name] = .unknown
        } else if head.hasSuffix("?") {
            if values[name] == nil { values[name] = .fallback(value) }
        } else if head.hasSuffix("+"), case .text(let old)? = values[name] {
            values[name] = .text("\(old) \(value)")
        } else {
            values[name] = .text(value)
        }
        return true
    }

    /// Returns a text with its variables replaced.
    func expanded(
        _ text: String, target: String, prerequisites: [String], depth: Int = 0
    ) -> Result<String, ShellValues.Problem> {
        guard depth < 20 else { return .failure(.init(reason: "a variable that refers to itself")) }
        var result = ""
        var rest = text[...]
        while let dollar = rest.firstIndex(of: "$") {
            result += rest[..<dollar]
            rest = rest[dollar...].dropFirst()
            guard let next = rest.first else { break }
            rest = rest.dropFirst()
            switch next {
            case "$": result += "$"
            case "@": result += target
            case "<": result += prerequisites.first ?? ""
            case "^", "+": result += prerequisites.joined(separator: " ")
            case "(", "{":
                guard let inner = Self.inside(&rest, next) else { return .failure(.init(reason: "this syntax")) }
                switch value(of: inner, target, prerequisites, depth) {
                case .success(let value): result += value
                case .failure(let problem): return .failure(problem)
                }
            default: return .failure(.init(reason: "the variable '$\(next)'"))
            }
        }
        return .success(result + rest)
    }

    private func value(
        of inner: String, _ target: String, _ prerequisites: [String], _ depth: Int
    ) -> Result<String, ShellValues.Problem> {
        func deeper(_ text: String) -> Result<String, ShellValues.Problem> {
            expanded(text, target: target, prerequisites: prerequisites, depth: depth + 1)
        }
        if inner.hasPrefix("shell ") { return deeper(String(inner.dropFirst("shell ".count))).map { "$(\($0))" } }
        guard inner.utf8.allSatisfy({ $0.isIdentifierContinuation || "-.".utf8.contains($0) }) else {
            return .failure(.init(reason: "the function '$(\(inner))'"))
        }
        switch values[inner] {
        case .text(let text)?: return deeper(text)
        case .fallback(let text)?: return deeper(text).map { "${\(inner):-\($0)}" }
        case .unknown?: return .failure(.init(reason: "the variable '\(inner)', which depends on a condition"))
        case nil:
            switch inner {
            case "MAKE": return .failure(.init(reason: "a call of 'make' with arguments"))
            case "CURDIR", "PWD": return .success("$PWD")
            case "RM": return .success("rm -f")
            default:
                guard isComplete else {
                    return .failure(.init(reason: "the variable '\(inner)', which another file may define"))
                }
                return .success("${\(inner):-}")
            }
        }
    }

    /// Removes and returns the text up to a closing bracket.
    private static func inside(_ rest: inout Substring, _ open: Character) -> String? {
        let close: Character = open == "(" ? ")" : "}"
        var depth = 1
        for index in rest.indices {
            if rest[index] == open { depth += 1 }
            if rest[index] == close { depth -= 1 }
            guard depth == 0 else { continue }
            defer { rest = rest[rest.index(after: index)...] }
            return String(rest[..<index])
        }
        return nil
    }
}
