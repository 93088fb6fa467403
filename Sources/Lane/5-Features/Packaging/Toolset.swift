import OperatingSystem
import Text

/// The flags of a build as a toolset file of SwiftPM (SE-0387). Flags on the command line would also apply to macros
/// and plugins, and each change of a flag would compile these again.
struct Toolset: Sendable, Equatable {
    /// The arguments of `swift` that are not flags of a tool.
    private(set) var arguments: [String] = []
    private var compiler: [String] = []
    private var clang: [String] = []
    private var linker: [String] = []

    /// Splits the arguments of `swift build` into flags of tools and other arguments.
    init(_ all: [String]) {
        var rest = all[...]
        while let word = rest.popFirst() {
            switch word {
            case "-Xswiftc": compiler += [rest.popFirst()].compactMap(\.self)
            case "-Xcc": clang += [rest.popFirst()].compactMap(\.self)
            case "-Xlinker": linker += [rest.popFirst()].compactMap(\.self)
            case "--static-swift-stdlib": compiler.append("-static-stdlib")
            default: arguments.append(word)
            }
        }
    }

    /// Writes the file. Returns the arguments of a build that uses the file in place of the flags.
    func write(to path: String) throws(OperationFailure) -> [String] {
        var writer = JSONWriter(.indented)
        writer.object { writer in
            writer.member("schemaVersion", "1.0")
            let tools = [("swiftCompiler", compiler), ("cCompiler", clang), ("cxxCompiler", clang), ("linker", linker)]
            for (name, flags) in tools where !flags.isEmpty {
                writer.object(name) { $0.member("extraCLIOptions", flags) }
            }
        }
        let bytes = writer.bytes
        try convertingFileErrors { () throws(FileError) in
            try makeDirectories(parentDirectory(path))
            if (try? readFile(path)) != bytes { try writeFile(bytes, to: path) }
        }
        return arguments + ["--toolset", path]
    }
}
