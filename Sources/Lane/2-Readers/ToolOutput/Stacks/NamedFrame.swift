import Events
import Text

/// A frame with a readable name.
struct NamedFrame {
    let name: String
    /// The location. Paths in the package are relative to its root.
    let location: String?
    /// A Boolean value that indicates whether the function is in the package's sources.
    let isOwn: Bool

    /// Creates a frame. Programs and libraries in the directory `products` belong to the package.
    init(_ frame: StackFrame, products: String, root: String) {
        let readable = FunctionName.readable(frame.symbol)
        let location = frame.location.map { $0.hasPrefix(root + "/") ? String($0.dropFirst(root.utf8.count + 1)) : $0 }
        name = readable.isEmpty ? "a function without a name" : readable
        self.location = location
        let isInProducts =
            frame.library.map { $0.hasPrefix(products + "/") }
            // gdb prints no library for the program itself, and relative paths for the C library.
            ?? (frame.location.map { $0.hasPrefix("/") } ?? frame.symbol.hasPrefix("$s"))
        isOwn = isInProducts && !Self.isGenerated(readable, frame.symbol)
    }

    /// Returns a Boolean value that indicates whether the compiler or SwiftPM generated a function.
    private static func isGenerated(_ name: String, _ symbol: String) -> Bool {
        if ["main", "_start", ""].contains(name) || symbol.hasPrefix("$ss") { return true }
        return ["reabstraction thunk", "__allTests", "PackageTests.Runner.", "__swift_", "$s", "implicit closure"]
            .contains { name.range(of: $0) != nil }
    }

    /// Returns a Boolean value that indicates whether the function is a test or a closure in a test.
    func isIn(_ test: TestID, precisely isPrecise: Bool) -> Bool {
        guard isOwn else { return false }
        let function = test.name.prefix { $0 != "(" } + "("
        let owner = isPrecise && !test.suite.isEmpty ? test.suite.split(separator: "/").joined(separator: ".") : ""
        let path = owner.isEmpty ? ".\(function)" : ".\(owner).\(function)"
        return name.range(of: path) != nil
    }
}
