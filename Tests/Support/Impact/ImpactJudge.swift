import ChangeImpact
import OperatingSystem
import SwiftPackages
import Text

/// Judges changes of a package for `ci/measure/changed`, which builds it and passes the package and the outputs of `swift package`.
///
/// It reads changes as lines of files, separated by tabs, and prints the modules of the tests that each concerns, or `*` for
/// all.
@main struct ImpactJudge {
    static func main() throws {
        let arguments = CommandLine.arguments
        let package = arguments[1]
        let (description, manifest) = try (
            JSONParser.parse(readFile(arguments[2])), JSONParser.parse(readFile(arguments[3]))
        )
        guard let description = PackageDescription(description, PackageManifest(manifest)),
            let graph = PackageGraph(description, directory: "")
        else {
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
        while let line = readLine() {
            let decision = impact.decision(for: line.split(separator: "\t").map(String.init))
            print(decision.modules.map { $0.sorted().joined(separator: "\t") } ?? "*")
        }
    }
}
