import OperatingSystem
import TestSupport
import Testing

@Suite("Package.swift matches the architecture")
struct ManifestTests {
    /// The modules that only tests use.
    private static let testHelpers: Set = ["TestSupport", "ReleaseFixtures"]

    @Test("The guide's module table matches the manifest, and arrows point down only")
    func moduleTable() throws {
        let manifest = try Manifest.load()
        let rows = try ModuleTable.read(try Repository.text("docs/design.md"))
        let levels = Dictionary(uniqueKeysWithValues: rows.flatMap { row in row.modules.map { ($0, row.level) } })
        let ours = manifest.targets.filter { $0.kind != "test" && !Self.testHelpers.contains($0.name) }
        #expect(Set(ours.map(\.name)) == Set(levels.keys))
        for row in rows {
            for module in row.modules {
                let target = try #require(manifest[module], "\(module) is in the table only")
                #expect(target.dependencies == row.uses, "dependencies of \(module)")
                for dependency in target.dependencies {
                    let below = levels[dependency] ?? .max
                    #expect(below < row.level, "\(module) (\(row.level)) uses \(dependency) (\(below))")
                }
            }
        }
    }

    /// SwiftPM builds an undeclared module before or after its importer, by chance.
    @Test("Every imported module is declared")
    func imports() throws {
        let manifest = try Manifest.load()
        let modules = Set(manifest.targets.map(\.name))
        var undeclared: Set<String> = []
        for path in try ["Sources", "Tests"].flatMap(Repository.swiftFiles) {
            guard let target = manifest[String(path.split(separator: "/")[1])] else { continue }
            for line in try Repository.lines(path) {
                // Imports start in the first column; an import in a string literal does not.
                let words = line.split(separator: " ").map(String.init)
                guard line.first != " ", words.dropLast().last == "import", let module = words.last else { continue }
                if modules.contains(module), !target.dependencies.contains(module) {
                    undeclared.insert("\(target.name) imports \(module)")
                }
            }
        }
        #expect(undeclared == [])
    }

    @Test("No Swift package is needed")
    func noPackages() throws {
        let manifest = try Manifest.load()
        #expect(manifest.packages == 0)
        #expect(manifest.toolsVersion.hasPrefix("6.2"))
    }

    @Test("The image's build has a directory for each target that only tests use")
    func directoriesOfTheImage() throws {
        let command = try #require(try Repository.lines("Dockerfile").first { $0.hasPrefix("RUN mkdir -p $(sed") })
        let directory = try TemporaryDirectory()
        try directory.write(try Repository.text("Package.swift"), to: "Package.swift")
        let run = try ChildRunner().capture(
            Command(
                "sh", ["-c", String(command.dropFirst("RUN ".count))], environment: processEnvironment(),
                directory: directory.path))
        #expect(run.report.succeeded, "\(run.errorText)")
        let missing = try Manifest.load().targets.map(\.name).filter { name in
            !isDirectory("\(Repository.root)/Sources/\(name)") && !isDirectory("\(directory.path)/Tests/\(name)")
        }
        #expect(missing.isEmpty, "the Dockerfile makes no directory for \(missing)")
    }

    @Test("Tracer depends on nothing, and lane does not depend on Tracer")
    func products() throws {
        let manifest = try Manifest.load()
        #expect(manifest.closure(of: "Tracer") == ["Tracer"])
        #expect(manifest.closure(of: "lane").filter { $0.lowercased().hasPrefix("tracer") } == [])
        #expect(manifest.closure(of: "lane").contains("LaneModel"))
    }

    @Test("Every module with code of its own has tests")
    func everyModuleIsTested() throws {
        let manifest = try Manifest.load()
        let untested = manifest.targets.filter { target in
            target.kind == "regular" && !Self.testHelpers.contains(target.name)
                && manifest["\(target.name)Tests"] == nil
        }
        #expect(untested.map(\.name) == [])
    }
}

/// The table of modules in the guide: level, modules, contents, dependencies.
enum ModuleTable {
    struct Row {
        let level: Int
        let modules: [String]
        let uses: Set<String>
    }

    static func read(_ document: String) throws -> [Row] {
        document.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            guard cells.count == 6, let level = Int(cells[1].filter { !$0.isWhitespace }) else { return nil }
            return Row(level: level, modules: codeWords(cells[2]), uses: Set(codeWords(cells[4])))
        }
    }

    /// Returns the words in backticks.
    private static func codeWords(_ cell: String) -> [String] {
        let parts = cell.split(separator: "`", omittingEmptySubsequences: false)
        return parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) }
    }
}
