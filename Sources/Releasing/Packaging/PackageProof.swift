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
    /// Library products with the modules that a program imports.
    let libraries: [(name: String, modules: [String])]

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
        for (name, modules) in libraries {
            if let problem = try link(name, modules, in: folder) { problems.append("lib\(name).a \(problem)") }
        }
        guard problems.isEmpty else {
            throw StepFailure("the package does not work: " + problems.joined(separator: "\n"))
        }
    }

    /// Starts it with an empty search path. What it makes of `--help` is its own affair, as long as it starts.
    private func run(_ path: String) throws(StepFailure) -> String? {
        let (report, output) = try tools.attempt(
            path, ["--help"], in: parentDirectory(path), quiet: true,
            environment: ["PATH": "/nonexistent", "HOME": "/nonexistent", "LC_ALL": "C"], timeout: .seconds(10))
        if report.stoppedBy == .timeout { return nil }
        switch report.termination {
        case .exited(126), .exited(127), .signalled:
            return "does not start without the toolchain: \(String(decoding: output.prefix(500), as: UTF8.self))"
        case .exited: return nil
        }
    }

    private func link(_ name: String, _ modules: [String], in folder: String) throws(StepFailure) -> String? {
        let program = modules.map { "import \($0)\n" }.joined() + "print(\"linked\")\n"
        try onFiles { () throws(FileError) in try writeFile(program, to: "\(folder)/main.swift") }
        let lib = "\(top)/lib"
        let (compiled, output) = try tools.attempt(
            "swiftc", ["main.swift", "-I", lib] + wholeLibrary(name, in: lib) + ["-o", "outside"], in: folder,
            quiet: true)
        guard compiled.succeeded else {
            return "cannot be linked by an outside program: \(String(decoding: output.prefix(2000), as: UTF8.self))"
        }
        let (ran, said) = try tools.attempt("\(folder)/outside", [], in: folder, quiet: true, timeout: .seconds(10))
        guard ran.succeeded, said.elementsEqual("linked\n".utf8) else {
            return "breaks an outside program (status \(ran.status))"
        }
        return nil
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
