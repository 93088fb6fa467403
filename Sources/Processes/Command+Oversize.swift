/// What of a command is more than the system hands on to a program.
package enum Oversize: Sendable, Equatable {
    /// Counted from 1.
    case argument(Int, bytes: Int)
    case variable(String, bytes: Int)
    /// Each text for itself would do.
    case all(bytes: Int)
}

extension Command {
    /// From this on Linux takes no text, whatever the limit for all of them: 32 pages, with the NUL behind it.
    private static let tooLong = 131_072

    /// What to tell of a command that the system refused for its size.
    var oversize: Oversize {
        let arguments = arguments.map(\.utf8.count)
        if let index = arguments.firstIndex(where: { $0 >= Self.tooLong }) {
            return .argument(index + 1, bytes: arguments[index])
        }
        let variables = environment.map { (name: $0.key, bytes: $0.key.utf8.count + 1 + $0.value.utf8.count) }
        if let longest = variables.max(by: { $0.bytes < $1.bytes }), longest.bytes >= Self.tooLong {
            return .variable(longest.name, bytes: longest.bytes)
        }
        return .all(bytes: arguments.reduce(0, +) + variables.reduce(0) { $0 + $1.bytes })
    }
}
