import APIComparison
import OperatingSystem
import SwiftPackages
import Text

/// Compiles the programs of changes with two versions of a package.
struct WitnessCompiler {
    let tools: ToolRunner
    /// The path of the compiler.
    let compiler: String
    /// The directory for the programs.
    let directory: String
    /// The flags to import the modules of the old version.
    let old: [String]
    /// The flags to import the modules of the new version.
    let new: [String]

    /// The language modes of clients. In Swift 6, more code is an error.
    private static let modes = ["5", "6"]

    /// Judges changes. Returns those that are breaks, and those that could not be proven.
    func judge(_ changes: [APIChange]) throws(OperationFailure) -> [APIReport.Finding] {
        var judgments = changes.map { Judgment(change: $0) }
        var programs: [Program] = []
        for (index, change) in changes.enumerated() {
            for witness in change.witnesses { programs.append(Program(change: index, witness: witness)) }
        }
        try write(programs)
        for mode in Self.modes {
            let open = programs.indices.filter { judgments[programs[$0].change].proof == nil }
            let usable = try passing(open, old, mode)
            let fine = try passing(usable.sorted(), new, mode)
            for index in usable.sorted() {
                let program = programs[index]
                judgments[program.change].isUsable = true
                guard !fine.contains(index), judgments[program.change].proof == nil else { continue }
                if program.witness.isReference, judgments[program.change].reference != nil { continue }
                // The proof is the program alone.
                guard try compile([index], old, mode) == nil, let error = try compile([index], new, mode) else {
                    continue
                }
                judgments[program.change].add(program.witness, Self.firstError(error))
            }
        }
        return judgments.compactMap(\.finding)
    }

    /// A program of a change.
    private struct Program {
        let change: Int
        let witness: Witness
    }

    /// The results of a change's programs.
    private struct Judgment {
        let change: APIChange
        /// A Boolean value that indicates whether a program compiles with the old version.
        var isUsable = false
        private(set) var proof: (witness: Witness, error: String)?
        private(set) var reference: (witness: Witness, error: String)?

        init(change: APIChange) {
            self.change = change
        }

        mutating func add(_ witness: Witness, _ error: String) {
            if witness.isReference { reference = (witness, error) } else { proof = (witness, error) }
        }

        var finding: APIReport.Finding? {
            if change.kind == .manifest { return APIReport.Finding(change) }
            if let found = proof ?? reference {
                return APIReport.Finding(change, witness: found.witness, error: found.error)
            }
            // Other platforms may lack the declaration.
            return isUsable && change.kind != .availability ? nil : APIReport.Finding(unproven: change)
        }
    }

    private func write(_ programs: [Program]) throws(OperationFailure) {
        try convertingFileErrors { () throws(FileError) in
            try removeTree(directory)
            try makeDirectories(directory)
            for (index, program) in programs.enumerated() {
                try writeFile(program.witness.text, to: "\(directory)/\(Self.file(index))")
            }
        }
    }

    private static func file(_ index: Int) -> String { "w\(index).swift" }

    /// Returns the programs that compile. They are compiled together, because most of the time is that of the imports.
    private func passing(_ programs: [Int], _ flags: [String], _ mode: String) throws(OperationFailure) -> Set<Int> {
        var rest = programs
        while !rest.isEmpty, let output = try compile(rest, flags, mode) {
            let failed = Self.programsWithErrors(output)
            guard !failed.isDisjoint(with: rest) else {
                // An error that belongs to no program hides the others.
                var alone: Set<Int> = []
                for index in rest where try compile([index], flags, mode) == nil { alone.insert(index) }
                return alone
            }
            rest.removeAll(where: failed.contains)
        }
        return Set(rest)
    }

    /// Compiles programs as one module. Returns the output of the compiler if it fails.
    private func compile(_ programs: [Int], _ flags: [String], _ mode: String) throws(OperationFailure) -> String? {
        let arguments =
            ["-typecheck", "-parse-as-library", "-wmo", "-suppress-warnings", "-module-name", "Witness"]
            + ["-swift-version", mode] + flags + programs.map(Self.file)
        let (report, output) = try tools.attempt(compiler, arguments, in: directory, showing: .nothing)
        if report.stoppedBy != nil { throw OperationFailure(report) }
        return report.succeeded ? nil : String(decoding: output, as: UTF8.self)
    }

    /// Returns the programs with errors in the output of the compiler, such as `w12.swift:3:5: error: …`.
    static func programsWithErrors(_ output: String) -> Set<Int> {
        Set(
            output.lines.compactMap { line in
                guard line.contains(": error: "), let end = line.range(of: ".swift:") else { return nil }
                let name = lastPathComponent(String(line[..<end.lowerBound]))
                return name.hasPrefix("w") ? Int(name.dropFirst()) : nil
            })
    }

    /// Returns the message of the first error.
    static func firstError(_ output: String) -> String {
        let line = output.lines.first { $0.contains(": error: ") } ?? output.lines.first ?? ""
        return line.range(of: "error: ").map { "error: " + line[$0.upperBound...] } ?? line
    }
}
