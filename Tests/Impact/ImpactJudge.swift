import ChangeImpact
import Files
import JSON

/// Judges changes of a package for `ci/changed` and `ci/changed-suites`, which build it and pass the package and the
/// outputs of `swift package`.
///
/// Without more arguments, it reads changes as lines of files, separated by tabs, and prints the modules of the tests that
/// each concerns, or `*` for all. With `mutants`, it makes mutants; see `SuiteMutants`. With `commit`, it prints the tests
/// that are selected for a commit; see `CommitSelection`.
@main struct ImpactJudge {
    static func main() throws {
        let arguments = CommandLine.arguments
        let package = arguments[1]
        let (description, manifest) = try (
            JSONParser.parse(readFile(arguments[2])), JSONParser.parse(readFile(arguments[3]))
        )
        guard let graph = PackageGraph(description: description, manifest: manifest, directory: "") else {
            print("the outputs of swift package do not belong together")
            return
        }
        var sources: [String: [SourceText]] = [:]
        for target in graph.targets where target.isSwift {
            sources[target.name] = try target.sources.map { path in
                SourceText(path: path, text: try readFile("\(package)/\(path)"))
            }
        }
        let impact = ChangeImpact(graph: graph, sources: sources, manifest: try readFile("\(package)/Package.swift"))
        switch arguments.dropFirst(4).first {
        case "mutants":
            try SuiteMutants(impact, graph, sources, record: arguments[5], output: arguments[6])
                .write(atMost: Int(arguments[7]) ?? 0)
            return
        case "commit":
            let selection = try CommitSelection(
                impact, package: package, manifest: manifest, record: arguments[5], old: arguments[6],
                tests: arguments[7])
            for line in selection.tests { print(line) }
            try writeFile(Array(selection.reasons.joined(separator: "\n").utf8), to: arguments[8])
            return
        default: break
        }
        while let line = readLine() {
            let decision = impact.decision(for: line.split(separator: "\t").map(String.init))
            print(decision.modules.map { $0.sorted().joined(separator: "\t") } ?? "*")
        }
    }
}
