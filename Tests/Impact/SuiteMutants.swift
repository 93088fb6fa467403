import ChangeImpact
import Files
import SuiteCoverage

/// Mutants of a package's sources: negated conditions, omitted statements, and other initial values and default arguments.
///
/// All mutants are in one text, so that one build is enough. The variable `MUTANT` of a test process selects one by its
/// number. The tests that are to run are those for the text in which only this mutant is. The variable `MUTANT_TRAPS`
/// contains the numbers of mutants that end the process.
struct SuiteMutants {
    private let impact: ChangeImpact
    private let record: SuiteRecord
    private let output: String
    private let targets: [(directory: String, sources: [SourceText])]
    /// The lines `FILE:LINE` whose mutants do not compile.
    private let excluded: Set<String>

    init(
        _ impact: ChangeImpact, _ graph: PackageGraph, _ sources: [String: [SourceText]], record: String,
        output: String
    ) throws {
        guard let record = SuiteRecord(parsing: try readFile(record)) else { throw Damaged() }
        (self.impact, self.record, self.output) = (impact, record, output)
        targets = graph.targets.filter { $0.kind != .test && $0.isSwift }.map { ($0.paths[0], sources[$0.name] ?? []) }
        excluded = Set(((try? readText("\(output)/excluded")) ?? "").split(separator: "\n").map(String.init))
    }

    private struct Damaged: Error {}

    private struct Mutant {
        let file: String
        let line: Int
        /// The line with a call that makes a choice by the number of the mutant.
        let choosing: (Int) -> String
        /// The line of the mutant alone.
        let alone: String
    }

    /// Writes the mutated sources to the directory `tree`, and the tests of each mutant to `mutants.list`: its number, place,
    /// the tests that run, and those that do not, separated by tabs.
    func write(atMost count: Int) throws {
        let all = targets.flatMap { target in target.sources.flatMap(mutants) }
        var rows: [String] = []
        var lines: [String: [Int: String]] = [:]
        for (number, mutant) in all.enumerated() where !excluded.contains("\(mutant.file):\(mutant.line)") {
            // Evenly distributed over all files.
            guard number * count / max(all.count, 1) != (number + 1) * count / max(all.count, 1) || all.count <= count,
                let tests = try tests(of: mutant)
            else { continue }
            rows.append("\(number + 1)\t\(mutant.file):\(mutant.line)\t\(tests.chosen)\t\(tests.others)")
            lines[mutant.file, default: [:]][mutant.line] = mutant.choosing(number + 1)
        }
        try writeFile(Array((rows.joined(separator: "\n") + "\n").utf8), to: "\(output)/mutants.list")
        for target in targets {
            var isMutated = false
            for source in target.sources {
                guard let changed = lines[source.path] else { continue }
                isMutated = true
                try write(replacing(changed, in: source), to: source.path)
            }
            if isMutated { try write(Array(Self.choice.utf8), to: "\(target.directory)/MutantChoice.swift") }
        }
    }

    private func write(_ text: [UInt8], to path: String) throws {
        try makeDirectories(parentDirectory("\(output)/tree/\(path)"))
        try writeFile(text, to: "\(output)/tree/\(path)")
    }

    private static let choice = """
        import Glibc

        private let mutantNumber = getenv("MUTANT").map { atoi($0) } ?? 0
        private let traps = numbers("MUTANT_TRAPS")

        private func numbers(_ variable: String) -> [Bool] {
            let list = getenv(variable).map { String(cString: $0) } ?? ""
            var result: [Bool] = []
            for number in list.split(separator: ",").compactMap({ Int($0) }) {
                while result.count <= number { result.append(false) }
                result[number] = true
            }
            return result
        }

        @usableFromInline func mutantChoice(_ number: Int32, _ value: Bool) -> Bool {
            if Int(number) < traps.count, traps[Int(number)] { fatalError("a mutant was executed") }
            return number == mutantNumber ? !value : value
        }

        """

    /// Returns the tests that run for a mutant and the others, or `nil` if no test executes it.
    private func tests(of mutant: Mutant) throws -> (chosen: String, others: String)? {
        guard let source = targets.flatMap(\.sources).first(where: { $0.path == mutant.file }) else { return nil }
        let text = replacing([mutant.line: mutant.alone], in: source)
        let decision = impact.refined(
            impact.decision(for: [mutant.file]),
            by: RecordedChanges(record: record, files: [mutant.file: .init(old: source.text, new: text)]))
        var (chosen, others): ([String], [String]) = ([], [])
        for suite in record.suites {
            let isConcerned = decision.modules?.contains(suite.module) != false
            let isUnaffected = suite.tests.allSatisfy(decision.unaffected.contains)
            if isConcerned && !isUnaffected { chosen += suite.tests } else { others += suite.tests }
        }
        // No test that executes a declaration may be selected.
        guard !chosen.isEmpty || mutant.alone.contains(" = ") else { return nil }
        return (chosen.isEmpty ? "-" : chosen.joined(separator: ","), others.joined(separator: ","))
    }

    private func replacing(_ lines: [Int: String], in source: SourceText) -> [UInt8] {
        var all = source.text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
        for (number, text) in lines { all[number - 1] = Array(text.utf8) }
        return Array(all.joined(separator: [UInt8(ascii: "\n")]))
    }

    /// Returns a mutant for each line with a condition or a statement of a known form.
    private func mutants(of source: SourceText) -> [Mutant] {
        guard record.functions[source.path] != nil else { return [] }
        let condition = /^(\s*(?:\} else )?)(if|guard) ([^,{}"#]+?) (else \{.*|\{.*)$/
        let assignment = /^(\s*)([A-Za-z_][\w.]* [-+]= [^{}"]+)$/
        let call = /^(\s*)([A-Za-z_][\w.]*\.(?:append|insert|remove\w*|formUnion|swapAt)\([^{}"]*\))$/
        let value = /^([^"]*\b(?:var|let) [^={("]*= |[^"]*\w: \w+ = )(true|false|[01])((?:[,)][^"]*)?)$/
        var result: [Mutant] = []
        var previous = ""
        for (index, line) in String(decoding: source.text, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false
        ).enumerated() {
            defer { previous = String(line) }
            func add(_ alone: String, _ choosing: @escaping (Int) -> String) {
                result.append(Mutant(file: source.path, line: index + 1, choosing: choosing, alone: alone))
            }
            if let match = line.wholeMatch(of: condition) {
                let (start, word, text, end) = (match.1, match.2, match.3, match.4)
                let words = text.split(separator: " ").map(String.init)
                guard !["let", "var", "case", "try", "await", "is"].contains(where: words.contains) else { continue }
                add("\(start)\(word) !(\(text)) \(end)") { "\(start)\(word) mutantChoice(\($0), \(text)) \(end)" }
            } else if let match = line.wholeMatch(of: value) {
                let (start, text, end) = (match.1, match.2, match.3)
                let others = ["true": "false", "false": "true", "0": "1", "1": "0"]
                add("\(start)\(others[String(text)] ?? "")\(end)") {
                    "\(start)mutantChoice(\($0), true) ? \(text) : \(others[String(text)] ?? "")\(end)"
                }
            } else if let match = line.wholeMatch(of: assignment) ?? line.wholeMatch(of: call),
                !match.2.hasPrefix("self."),
                match.2.count(where: { $0 == "(" }) == match.2.count(where: { $0 == ")" }),
                previous.hasSuffix("{") || previous.hasSuffix("}") || previous.hasSuffix(")")
            {
                let (start, text) = (match.1, match.2)
                add("") { "\(start)if mutantChoice(\($0), true) { \(text) }" }
            }
        }
        return result
    }
}
