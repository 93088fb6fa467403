/// The part of a command that exceeds a limit of the system.
package enum Oversize: Sendable, Equatable {
    /// An argument, counted from 1.
    case argument(Int, bytes: Int)
    case variable(String, bytes: Int)
    /// All arguments and variables together, while each is below the limit.
    case all(bytes: Int)
}

extension Command {
    /// The maximum size of a string on Linux, including NUL: 32 pages.
    private static let tooLong = 131_072

    /// The part that exceeds a limit, if the system rejected the command for its size.
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
