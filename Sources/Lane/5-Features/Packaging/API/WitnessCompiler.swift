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
        let programs = changes.enumerated().flatMap { index, change in
            change.witnesses.map { (change: index, witness: $0) }
        }
        try write(programs.map(\.witness))
        // Programs are private, so those with the same imports have no effect on each other: each is a proof alone.
        let groups = Dictionary(grouping: programs.indices) { programs[$0].witness.modules }
            .values.sorted { $0[0] < $1[0] }
        for mode in Self.modes {
            for group in groups {
                let open = group.filter { judgments[programs[$0].change].proof == nil }
                let usable = try compile(open, old, mode).passed
                let errors = try compile(usable, new, mode).errors
                for index in usable where !Self.isOfImport(errors[index]) {
                    let program = programs[index]
                    judgments[program.change].isUsable = true
                    if let error = errors[index] { judgments[program.change].add(program.witness, error) }
                }
            }
        }
        return judgments.compactMap(\.finding)
    }

    /// The results of a change's programs.
    private struct Judgment {
        let change: APIChange
        /// A Boolean value that indicates whether a program compiles with the old version.
        var isUsable = false
        private(set) var proof: (witness: Witness, error: String)?
        private(set) var reference: (witness: Witness, error: String)?

        /// Keeps the first program that proves the change.
        mutating func add(_ witness: Witness, _ error: String) {
            if witness.isReference {
                reference = reference ?? (witness, error)
            } else {
                proof = proof ?? (witness, error)
            }
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

    private func write(_ programs: [Witness]) throws(OperationFailure) {
        try convertingFileErrors { () throws(FileError) in
            try removeTree(directory)
            try makeDirectories(directory)
            for (index, program) in programs.enumerated() {
                try writeFile(program.text, to: "\(directory)/\(Self.file(index))")
            }
        }
    }

    private static func file(_ index: Int) -> String { "w\(index).swift" }

    /// Returns the programs that compile, and the first errors of the others. They are compiled together, because most of
    /// the time is that of the imports.
    private func compile(
        _ programs: [Int], _ flags: [String], _ mode: String
    ) throws(OperationFailure) -> (passed: [Int], errors: [Int: String]) {
        var rest = programs
        var errors: [Int: String] = [:]
        while !rest.isEmpty, let output = try output(rest, flags, mode) {
            let found = Self.errors(in: output)
            let failed = rest.filter { found[$0] != nil }
            if failed.isEmpty {
                // An error that belongs to no program hides the others.
                for index in rest { errors[index] = try self.output([index], flags, mode).map(Self.firstError) }
            } else {
                for index in failed { errors[index] = found[index] }
            }
            rest.removeAll { errors[$0] != nil }
            if failed.isEmpty { break }
        }
        return (rest, errors)
    }

    /// Compiles programs as one module. Returns the output of the compiler if it fails.
    private func output(_ programs: [Int], _ flags: [String], _ mode: String) throws(OperationFailure) -> String? {
        let arguments =
            ["-typecheck", "-parse-as-library", "-wmo", "-suppress-warnings", "-module-name", "Witness"]
            + ["-swift-version", mode] + flags + programs.map(Self.file)
        let (report, output) = try tools.attempt(compiler, arguments, in: directory)
        if report.stoppedBy != nil { throw OperationFailure(report) }
        return report.succeeded ? nil : String(decoding: output, as: UTF8.self)
    }

    /// Returns the first errors of programs in the output of the compiler, such as `w12.swift:3:5: error: …`.
    static func errors(in output: String) -> [Int: String] {
        var errors: [Int: String] = [:]
        for line in output.lines where line.contains(": error: ") {
            guard let end = line.range(of: ".swift:") else { continue }
            let name = lastPathComponent(String(line[..<end.lowerBound]))
            guard name.hasPrefix("w"), let index = Int(name.dropFirst()), errors[index] == nil else { continue }
            errors[index] = firstError(line)
        }
        return errors
    }

    /// Returns a Boolean value that indicates whether a module could not be loaded, which proves nothing about its
    /// declarations.
    private static func isOfImport(_ error: String?) -> Bool {
        let texts = ["no such module", "missing required module", "could not build", "failed to build module"]
        return error.map { error in texts.contains { error.hasPrefix("error: \($0)") } } ?? false
    }

    /// Returns the message of the first error.
    static func firstError(_ output: String) -> String {
        let line = output.lines.first { $0.contains(": error: ") } ?? output.lines.first ?? ""
        return line.range(of: "error: ").map { "error: " + line[$0.upperBound...] } ?? line
    }
}
