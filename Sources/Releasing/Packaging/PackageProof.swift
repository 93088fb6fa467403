import Archives
import Files
import LaneRun
import Processes

/// Uses a finished archive as a stranger would: unpacked elsewhere, without the toolchain, from an outside program.
struct PackageProof {
    let tools: StepTools
    /// The archive's only top folder.
    let top: String
    let executables: [String]
    let libraries: [Library]

    struct Library: Sendable, Equatable {
        let name: String
        /// The Swift modules that a program imports.
        let modules: [String]
        /// What a program has to be linked with that no module names.
        let flags: [String]
    }

    /// - Parameter folder: Where to unpack; emptied before, removed after.
    func check(_ archive: String, in folder: String) throws(StepFailure) {
        try onFiles { () throws(FileError) in
            try removeTree(folder)
            try makeDirectories(folder)
        }
        defer { try? removeTree(folder) }
        try onArchives { () throws(ArchiveError) in try TarGzip.unpack(archive, into: folder) }
        var problems: [String] = []
        for name in executables {
            if let problem = try run("\(folder)/\(top)/bin/\(name)") { problems.append("bin/\(name) \(problem)") }
        }
        for library in libraries {
            if let problem = try link(library, in: folder) { problems.append("lib\(library.name).a \(problem)") }
        }
        guard problems.isEmpty else {
            throw StepFailure("the package does not work: " + problems.joined(separator: "\n"))
        }
    }

    /// Starts it with an empty search path. What it makes of `--help` is its own affair, as long as it starts.
    private func run(_ path: String) throws(StepFailure) -> String? {
        let (report, output) = try tools.attempt(
            path, ["--help"], in: parentDirectory(path), showing: .nothing,
            environment: ["PATH": "/nonexistent", "HOME": "/nonexistent", "LC_ALL": "C"], timeout: .seconds(10))
        if report.stoppedBy == .timeout { return nil }
        switch report.termination {
        case .exited(126), .exited(127): return "does not start without the toolchain: \(text(output.prefix(500)))"
        case .signalled(let signal): return "is ended by \(signalName(signal)): \(text(output.prefix(500)))"
        case .exited: return nil
        }
    }

    private func link(_ library: Library, in folder: String) throws(StepFailure) -> String? {
        let program = library.modules.map { "import \($0)\n" }.joined() + "print(\"linked\")\n"
        try onFiles { () throws(FileError) in try writeFile(program, to: "\(folder)/main.swift") }
        let lib = "\(top)/lib"
        let (compiled, output) = try tools.attempt(
            "swiftc",
            ["main.swift", "-I", lib] + wholeLibrary(library.name, in: lib) + library.flags + ["-o", "outside"],
            in: folder, showing: .nothing)
        guard compiled.succeeded else {
            return "cannot be linked by an outside program: \(text(output.prefix(2000)))"
        }
        let (ran, said) = try tools.attempt(
            "\(folder)/outside", [], in: folder, showing: .nothing, timeout: .seconds(10))
        guard ran.succeeded, said.elementsEqual("linked\n".utf8) else {
            return "breaks an outside program (status \(ran.status))"
        }
        return nil
    }

    /// What was printed, without blank lines at its end.
    private func text(_ output: ArraySlice<UInt8>) -> String {
        let blank: Set<UInt8> = [UInt8(ascii: "\n"), UInt8(ascii: " ")]
        let end = output.lastIndex { !blank.contains($0) }.map { $0 + 1 } ?? output.startIndex
        return String(decoding: output[..<end], as: UTF8.self)
    }

    /// With every object of the library, whether the program needs it or not: what one of them lacks is then told.
    private func wholeLibrary(_ name: String, in lib: String) -> [String] {
        #if os(Linux)
            let flags = ["--whole-archive", "\(lib)/lib\(name).a", "--no-whole-archive"]
        #else
            let flags = ["-force_load", "\(lib)/lib\(name).a"]
        #endif
        return flags.flatMap { ["-Xlinker", $0] }
    }
}
