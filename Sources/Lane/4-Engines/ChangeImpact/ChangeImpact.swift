import OperatingSystem
package import SwiftPackages
import Text

/// The test targets that a change of files concerns, by the graph of targets and the files that tests read.
///
/// A target is concerned if it uses a target with a changed file, directly or not, or if its tests may read one. Where
/// the files of a target cannot be determined, all are.
package struct ChangeImpact: Sendable {
    let graph: PackageGraph
    /// The targets that each target reaches, with the target on the way to it.
    let reached: [String: [String: String]]
    let facts: [String: TestSourceFacts]
    private let manifestWords: Set<String>
    private let ciRun: CIRun

    /// - Parameters:
    ///   - sources: The Swift sources of each target by name.
    ///   - manifest: The text of `Package.swift`.
    ///   - ciRun: The run in which the tests are selected.
    package init(graph: PackageGraph, sources: [String: [SourceText]], manifest: [UInt8], ciRun: CIRun = .none) {
        (self.graph, self.ciRun) = (graph, ciRun)
        var edges: [String: Set<String>] = [:]
        let modules = Dictionary(grouping: graph.targets, by: \.module).mapValues { $0.map(\.name) }
        for target in graph.targets {
            let imports = (sources[target.name] ?? []).reduce(into: Set<String>()) {
                $0.formUnion($1.imports)
            }
            // A module that was built earlier can be imported without a dependency.
            edges[target.name] = target.dependencies.union(imports.flatMap { modules[$0] ?? [] })
        }
        let declared = edges.keys.map { ($0, Set(Self.reach(from: $0, edges).keys)) }
        facts = TestSourceFacts.facts(
            of: graph, reachable: Dictionary(declared) { first, _ in first }, sources: sources)
        for (name, facts) in facts where facts.findsProducts {
            for (program, targets) in graph.programs where facts.words.contains(where: { Self.names($0, program) }) {
                edges[name, default: []].formUnion(targets)
            }
        }
        reached = Dictionary(edges.keys.map { ($0, Self.reach(from: $0, edges)) }) { first, _ in first }
        var words = TestSourceFacts()
        words.add(SwiftScanner.tokens(of: manifest[...]))
        manifestWords = words.words
    }

    /// Returns a Boolean value that indicates whether a word in a literal is a program or a path of it.
    private static func names(_ word: String, _ program: String) -> Bool {
        word == program || word.utf8.reversed().starts(with: "/\(program)".utf8.reversed())
    }

    private static func reach(from name: String, _ edges: [String: Set<String>]) -> [String: String] {
        var found = [name: ""]
        var queue = [name][...]
        while let next = queue.popFirst() {
            for neighbor in (edges[next] ?? []).sorted() where found[neighbor] == nil {
                found[neighbor] = next
                queue.append(neighbor)
            }
        }
        return found
    }

    /// Returns the decision for changed files.
    ///
    /// - Parameter files: Paths relative to the root of the repository.
    package func decision(for files: [String]) -> ImpactDecision {
        let targets = graph.testTargets
        for file in files {
            guard let reason = reasonForAll(file) else { continue }
            return .all(targets.map(\.module), because: "'\(file)' \(reason)")
        }
        var decision = ImpactDecision()
        var used: Set<String> = []
        for target in targets {
            var reasons: [String] = []
            for file in files {
                guard let reason = reason(for: target, file) else { continue }
                used.insert(file)
                reasons.append("'\(file)' \(reason)")
            }
            if let first = reasons.first {
                let more = reasons.count > 1 ? "; \(count(reasons.count - 1, "more file"))" : ""
                decision.concerned.append(.init(target: target.name, module: target.module, reason: first + more))
            } else {
                decision.others.append(target.module)
            }
        }
        decision.files = files.map { file in
            guard !used.contains(file) else { return .init(path: file) }
            if isPinFile(file) { return .init(path: file, note: "changes nothing that tests use") }
            let owners = owners(of: file)
            return .init(
                path: file,
                note: owners.isEmpty
                    ? "is in no target, and no test reads it"
                    : "is in \(list(owners.map { "'\($0)'" }, joinedBy: "and")), which no test uses")
        }
        return decision
    }

    /// Returns the reason why a file concerns a test target, or `nil` if it does not.
    func reason(for target: PackageGraph.Target, _ file: String) -> String? {
        let reached = reached[target.name] ?? [:]
        let uses = graph.targets.filter { reached[$0.name] != nil }
        if isPinFile(file), uses.contains(where: \.usesOtherPackages) { return "changes packages that the tests use" }
        if let owner = owners(of: file).first(where: { reached[$0] != nil }) {
            return "is in \(way(to: owner, in: reached))"
        }
        if let facts = facts[target.name] {
            if let path = facts.reads.sorted().first(where: { Self.contains($0, file) }) {
                return path.isEmpty
                    ? "may be read: the tests use the directory of the repository" : "is read: the tests use '\(path)'"
            }
            if let word = inPackage(file).flatMap({ facts.word(for: $0) }) {
                return "is read: the tests name '\(word)'"
            }
        }
        if graph.localPackages.contains(where: { Self.contains($0, file) && !$0.isEmpty }),
            uses.contains(where: \.usesOtherPackages)
        {
            return "is in a package that the tests use"
        }
        if owners(of: file).isEmpty, let reader = uses.first(where: \.mayReadAnyFile) {
            return "may be read: '\(reader.name)' has plugins or unsafe flags"
        }
        // Headers of C targets may include those of others.
        if Self.isC(file), let other = uses.first(where: { !$0.isSwift }) {
            return "may be included by '\(other.name)'"
        }
        return nil
    }

    /// Returns the targets from one that owns a file to the tests.
    func way(to owner: String, in reached: [String: String]) -> String {
        var names = ["'\(owner)'"]
        var current = owner
        while let previous = reached[current], !previous.isEmpty {
            names.append("'\(previous)'")
            current = previous
        }
        return names.count < 3
            ? names[0] : "\(names[0]), through \(names.dropFirst().dropLast().joined(separator: ", "))"
    }

    /// Returns the targets with a directory that contains a file.
    func owners(of file: String) -> [String] {
        let isDocumentation = Self.isDocumentation(file)
        return graph.targets.filter { target in
            // The first path is that of the sources. The others are resources.
            target.paths.enumerated().contains { index, path in
                Self.contains(path, file) && (index > 0 || !isDocumentation)
            }
        }.map(\.name).sorted()
    }

    /// Returns the rest of a reason why a file concerns all tests, or `nil` if it does not.
    func reasonForAll(_ file: String) -> String? {
        let name = lastPathComponent(file)
        let own = inPackage(file)
        if let own, own == "Package.swift" || (own.hasPrefix("Package@swift") && own.hasSuffix(".swift")) {
            return "defines the targets"
        }
        if isPinFile(file) { return nil }
        if name == "Package.resolved" { return "defines the versions of dependencies" }
        if name == ".swift-version" || name.hasPrefix("Dockerfile") || file.hasPrefix(".devcontainer/") {
            return "may change the toolchain"
        }
        if ciRun.isDefined(by: file) { return "may change the machine and the toolchain" }
        if name == ".gitmodules" { return "defines the submodules" }
        if name.hasSuffix(".modulemap") { return "defines modules" }
        if let own, own.hasPrefix(".swiftpm/") || own.hasPrefix("Lanes/") { return "may change how tests run" }
        guard owners(of: file).isEmpty else { return nil }
        if Self.isC(file) { return "is in no target and may be included by any" }
        // A manifest names documents to exclude them from their targets.
        if !Self.isDocumentation(file), let own, let word = Self.parents(of: own).first(where: manifestWords.contains) {
            return "is in no target, and 'Package.swift' names '\(word)'"
        }
        return nil
    }

    /// Returns a Boolean value that indicates whether a file contains the versions of the package's dependencies.
    func isPinFile(_ file: String) -> Bool { inPackage(file) == "Package.resolved" }

    /// Returns a path relative to the package, or `nil` for one outside.
    func inPackage(_ file: String) -> String? {
        guard !graph.directory.isEmpty else { return file }
        return Self.contains(graph.directory, file) && file != graph.directory
            ? String(file.dropFirst(graph.directory.count + 1)) : nil
    }

    /// Returns a path and the directories that contain it.
    static func parents(of path: String) -> [String] {
        [path] + path.indices.filter { path[$0] == "/" }.map { String(path[..<$0]) }
    }

    static func contains(_ directory: String, _ file: String) -> Bool {
        directory.isEmpty || file == directory || file.utf8.starts(with: "\(directory)/".utf8)
    }

    /// Returns a Boolean value that indicates whether a build ignores a file that is not a resource.
    static func isDocumentation(_ file: String) -> Bool {
        file.hasSuffix(".md") || lastPathComponent(file) == "CMakeLists.txt"
            || parents(of: file).dropFirst().contains { $0.hasSuffix(".docc") }
    }

    private static let extensionsOfC: Set<String> = [
        "h", "hh", "hpp", "hxx", "inc", "def", "c", "cc", "cpp", "cxx", "m", "mm", "s", "S",
    ]

    private static func isC(_ file: String) -> Bool {
        let name = lastPathComponent(file)
        guard let dot = name.lastIndex(of: ".") else { return false }
        return extensionsOfC.contains(String(name[name.index(after: dot)...]))
    }
}

extension TestSourceFacts {
    /// Returns the word of a literal that names a file in the working directory of the tests.
    fileprivate func word(for file: String) -> String? {
        if words.contains(file) { return file }
        guard listsDirectories else { return nil }
        return ChangeImpact.parents(of: file).first { words.contains($0) || words.contains("\($0)/") }
    }
}

/// The test targets that run for a change, with reasons.
package struct ImpactDecision: Sendable, Equatable {
    /// A test target that the change concerns.
    struct Choice: Sendable, Equatable {
        let target: String
        let module: String
        /// The rest of a sentence.
        let reason: String
    }

    struct File: Sendable, Equatable {
        let path: String
        /// The reason why it concerns no test, or `nil` if it concerns one.
        var note: String?
    }

    /// The reason why all tests run, or `nil` if the change decides.
    var everything: String?
    /// The changed files. Empty if all tests run.
    var files: [File] = []
    /// The concerned test targets. Empty if all tests run.
    var concerned: [Choice] = []
    /// The modules of all other test targets, or of all if all tests run.
    var others: [String] = []

    /// Returns the decision to run all tests for a reason.
    package static func all(_ modules: [String] = [], because reason: String) -> ImpactDecision {
        var decision = ImpactDecision()
        (decision.everything, decision.others) = (reason, modules)
        return decision
    }

    /// The modules to run, or `nil` for all.
    package var modules: Set<String>? { everything == nil ? Set(concerned.map(\.module)) : nil }

    /// The number of test targets.
    private var total: Int { concerned.count + others.count }

    /// The decision in one line.
    ///
    /// - Parameter base: The description of the commit that files are compared with.
    package func summary(since base: String) -> String {
        if let everything { return "all tests run: \(everything)" }
        guard !files.isEmpty else { return "no test runs: no file changed since \(base)" }
        return
            "\(concerned.count) of \(count(total, "test target")) run: \(count(files.count, "file")) changed since \(base)"
    }

    /// The lines that explain each choice.
    package var explanation: [String] {
        if everything != nil { return [] }
        var lines = files.compactMap { file in file.note.map { "  '\(file.path)' \($0)" } }
        lines += concerned.map { "  \($0.target): \($0.reason)" }
        if !others.isEmpty { lines.append("  not affected: \(others.joined(separator: ", "))") }
        return lines
    }
}
