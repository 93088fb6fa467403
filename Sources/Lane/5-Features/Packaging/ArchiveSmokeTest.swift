import Archives
import Events
import OperatingSystem
import SwiftPackages
import Text

/// A smoke test of an archive. It unpacks the archive, runs the executables without the toolchain, and links the
/// libraries into another program.
struct ArchiveSmokeTest {
    let tools: ToolRunner
    let toolchain: Toolchain
    /// The root directory of the archive.
    let top: String
    let executables: [String]
    let libraries: [Library]

    struct Library: Sendable, Equatable {
        let name: String
        /// The Swift modules of the library.
        let modules: [String]
        /// The linker flags that programs must pass because no module contains them.
        let flags: [String]
    }

    /// - Parameter directory: The directory to unpack to. It is emptied first and removed at the end.
    func check(_ archive: String, in directory: String) throws(OperationFailure) {
        try convertingFileErrors { () throws(FileError) in
            try removeTree(directory)
            try makeDirectories(directory)
        }
        defer { try? removeTree(directory) }
        try convertingArchiveErrors(of: TarGzip.unpack(archive, into: directory))
        var problems: [String] = []
        for name in executables {
            if let problem = try run("\(directory)/\(top)/bin/\(name)") { problems.append("bin/\(name) \(problem)") }
        }
        for library in libraries {
            if let problem = try link(library, in: directory) { problems.append("lib\(library.name).a \(problem)") }
        }
        guard problems.isEmpty else {
            throw OperationFailure("the package does not work: " + problems.joined(separator: "\n"))
        }
    }

    /// Runs an executable with `--help` and an empty search path. Returns a message if it cannot start. Any exit status
    /// of the program itself is accepted.
    private func run(_ path: String) throws(OperationFailure) -> String? {
        let (report, output) = try tools.attempt(
            path, ["--help"], in: parentDirectory(path),
            environment: ["PATH": "/nonexistent", "HOME": "/nonexistent", "LC_ALL": "C"], timeout: .seconds(10))
        if report.stoppedBy == .timeout { return nil }
        switch report.termination {
        case .exited(126), .exited(127): return "cannot start without the toolchain: \(text(output.prefix(500)))"
        // The program ran and threw an error.
        case .signalled where text(output[...]).contains("Error raised at top level"): return nil
        case .signalled(let signal): return "was ended by \(signalName(signal)): \(text(output.prefix(500)))"
        case .exited: return nil
        }
    }

    private func link(_ library: Library, in directory: String) throws(OperationFailure) -> String? {
        let program = library.modules.map { "import \($0)\n" }.joined() + "print(\"linked\")\n"
        try convertingFileErrors(of: writeFile(program, to: "\(directory)/main.swift"))
        var output = try compile(library, [], in: directory)
        if output != nil, let hidden = try internalImports(of: library, in: directory) {
            output = try compile(library, hidden, in: directory)
            if output == nil {
                tools.report(
                    .note,
                    "programs with '\(library.name)' must be linked with 'lib/lib\(library.name).a' instead of"
                        + " '-l\(library.name)': the compiler reads the library's internal imports from the file")
            }
        }
        if let output {
            tools.show(output)
            return "cannot be linked by another program: \(text(beginning(of: output)))"
        }
        let (ran, printed) = try tools.attempt(
            "\(directory)/outside", [], in: directory, timeout: .seconds(10))
        guard ran.succeeded, printed.elementsEqual("linked\n".utf8) else {
            return "makes another program fail (exit status \(ran.status))"
        }
        return nil
    }

    /// Compiles a program with the library. Returns the output if the compilation fails.
    private func compile(_ library: Library, _ more: [String], in directory: String) throws(OperationFailure)
        -> [UInt8]?
    {
        let lib = "\(top)/lib"
        let words = ["main.swift", "-I", lib] + wholeLibrary(library.name, in: lib) + library.flags + more
        let (report, output) = try tools.attempt(
            "swiftc", words + ["-o", "outside"], in: directory)
        return report.succeeded ? nil : output
    }

    /// Returns the libraries of internal imports. The compiler reads these imports only from archives that are passed
    /// as files, not from modules.
    private func internalImports(of library: Library, in directory: String) throws(OperationFailure) -> [String]? {
        guard toolchain.isLinux else { return nil }
        let (report, _) = try tools.attempt(
            "\(toolchain.binaries)/swift-autolink-extract", ["\(top)/lib/lib\(library.name).a", "-o", "hidden"],
            in: directory)
        return report.succeeded ? ["@hidden"] : nil
    }

    /// Returns the first lines of output. The step's log contains the whole output.
    private func beginning(of output: [UInt8]) -> ArraySlice<UInt8> {
        let most = 2000
        guard output.count > most, let end = output[..<most].lastIndex(of: UInt8(ascii: "\n")) else {
            return output[...]
        }
        return output[..<end]
    }

    /// Returns the output without blank lines at its end.
    private func text(_ output: ArraySlice<UInt8>) -> String {
        let blank: Set<UInt8> = [UInt8(ascii: "\n"), UInt8(ascii: " ")]
        let end = output.lastIndex { !blank.contains($0) }.map { $0 + 1 } ?? output.startIndex
        return String(decoding: output[..<end], as: UTF8.self)
    }

    /// Returns the flags that link all objects of the library, which reveals undefined symbols.
    private func wholeLibrary(_ name: String, in lib: String) -> [String] {
        #if os(Linux)
            let flags = ["--whole-archive", "\(lib)/lib\(name).a", "--no-whole-archive"]
        #else
            let flags = ["-force_load", "\(lib)/lib\(name).a"]
        #endif
        return flags.flatMap { ["-Xlinker", $0] }
    }
}
