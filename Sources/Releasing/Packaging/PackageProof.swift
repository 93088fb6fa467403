import Archives
import Files
import LaneRun
import Processes

/// Uses a finished archive as a stranger would: unpacked elsewhere, without the toolchain, from an outside program.
struct PackageProof {
    let tools: StepTools
    let toolchain: Toolchain
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
        // Its own code ran, and threw.
        case .signalled where said(output, "Error raised at top level"): return nil
        case .signalled(let signal): return "is ended by \(signalName(signal)): \(text(output.prefix(500)))"
        case .exited: return nil
        }
    }

    private func said(_ output: [UInt8], _ words: String) -> Bool {
        String(decoding: output, as: UTF8.self).range(of: words) != nil
    }

    private func link(_ library: Library, in folder: String) throws(StepFailure) -> String? {
        let program = library.modules.map { "import \($0)\n" }.joined() + "print(\"linked\")\n"
        try onFiles { () throws(FileError) in try writeFile(program, to: "\(folder)/main.swift") }
        var output = try compile(library, [], in: folder)
        if output != nil, let hidden = try hiddenImports(of: library, in: folder) {
            output = try compile(library, hidden, in: folder)
            if output == nil {
                tools.say(
                    "programs with '\(library.name)' have to name 'lib/lib\(library.name).a' in place of"
                        + " '-l\(library.name)': the compiler learns from the file what the library imports internally")
            }
        }
        if let output {
            tools.show(output)
            return "cannot be linked by an outside program: \(text(beginning(of: output)))"
        }
        let (ran, said) = try tools.attempt(
            "\(folder)/outside", [], in: folder, showing: .nothing, timeout: .seconds(10))
        guard ran.succeeded, said.elementsEqual("linked\n".utf8) else {
            return "breaks an outside program (status \(ran.status))"
        }
        return nil
    }

    /// What the compiler has to say against a program that uses the library; `nil` for nothing.
    private func compile(_ library: Library, _ more: [String], in folder: String) throws(StepFailure) -> [UInt8]? {
        let lib = "\(top)/lib"
        let words = ["main.swift", "-I", lib] + wholeLibrary(library.name, in: lib) + library.flags + more
        let (report, output) = try tools.attempt(
            "swiftc", words + ["-o", "outside"], in: folder, showing: .nothing)
        return report.succeeded ? nil : output
    }

    /// What `internal import` brings along stands in no module, and the compiler reads it from archives that are named to
    /// it as files.
    private func hiddenImports(of library: Library, in folder: String) throws(StepFailure) -> [String]? {
        guard toolchain.isLinux else { return nil }
        let (report, _) = try tools.attempt(
            "\(toolchain.binaries)/swift-autolink-extract", ["\(top)/lib/lib\(library.name).a", "-o", "hidden"],
            in: folder, showing: .nothing)
        return report.succeeded ? ["@hidden"] : nil
    }

    /// Whole lines of it, as far as a message may be long; all of it is in the step's log.
    private func beginning(of output: [UInt8]) -> ArraySlice<UInt8> {
        let most = 2000
        guard output.count > most, let end = output[..<most].lastIndex(of: UInt8(ascii: "\n")) else {
            return output[...]
        }
        return output[..<end]
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
