import OperatingSystem
import TestSupport
import Testing
import Text

@Suite("Package.swift matches the architecture")
struct ManifestTests {
    /// The modules that only tests use.
    private static let testHelpers: Set = ["TestSupport", "LaneFixtures", "ActionFixtures"]

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

    @Test("The guide's drawing shows the modules of the manifest")
    func drawing() throws {
        let document = try Repository.text("docs/design.md")
        let start = try #require(document.range(of: "```text\n"))
        let end = try #require(document[start.upperBound...].range(of: "```"))
        let drawing = try Manifest.load().drawing()
        #expect(drawing.split(separator: "\n").count > 20)
        let drawn = String(document[..<start.upperBound]) + drawing + document[end.lowerBound...]
        expectFile("\(Repository.root)/docs/design.md", toContain: drawn)
    }

    @Test("The names on the ways through the house are types and modules of lane")
    func waysThroughTheHouse() throws {
        let document = try Repository.text("docs/design.md")
        let start = try #require(document.range(of: "## Three ways through the house"))
        let section = document[start.upperBound...].prefix { $0 != "#" }
        let names = Set(ModuleTable.codeWords(String(section)).filter { $0.utf8.allSatisfy(\.isLetter) })
        let types = try Repository.swiftFiles(below: "Sources/Lane").flatMap { path in
            swiftLines(try Repository.text(path).split(separator: "\n")).compactMap { line -> String? in
                let keywords: Set<Substring> = ["struct", "class", "enum", "protocol", "actor"]
                return line.words.firstIndex(where: keywords.contains).flatMap { line.words[($0 + 1)...].first }.map(
                    String.init)
            }
        }
        let known = Set(types).union(try Manifest.load().targets.map(\.name)).union([
            "publish", "package", "require", "bump",
        ])
        #expect(names.count > 20 && names.subtracting(known).subtracting(["commit", "tag"]) == [])
    }

    /// SwiftPM builds an undeclared module before or after its importer, by chance.
    @Test("The manifest lists the modules that a target imports, and no others")
    func imports() throws {
        let manifest = try Manifest.load()
        let modules = Set(manifest.targets.map(\.name))
        var imported: [String: Set<String>] = [:]
        for path in try ["Sources", "Tests"].flatMap(Repository.swiftFiles) {
            guard let target = manifest.target(of: path) else { continue }
            for line in try Repository.lines(path) {
                // Imports start in the first column, or in `#if`; an import in a string literal does not.
                let words = line.split(separator: " ").map(String.init)
                guard words.dropLast().last == "import", let module = words.last, modules.contains(module) else {
                    continue
                }
                imported[target.name, default: []].insert(module)
            }
        }
        for target in manifest.targets where target.kind != "system" {
            // End-to-end tests start the programs.
            let started = target.name == "EndToEndTests" ? ["lane", "tracer-demo"] : []
            let found = imported[target.name, default: []].union(started)
            #expect(found == target.dependencies, "imports of \(target.name)")
        }
    }

    @Test("lane has at most 28 modules, 150 edges and 8 floors, which its directories show")
    func floors() throws {
        let manifest = try Manifest.load()
        let ours = manifest.targets.filter {
            $0.path.hasPrefix("Sources/Lane/") && !$0.path.hasPrefix("Sources/Lane/C/")
        }
        #expect(ours.count > 20 && ours.count <= 28)
        let names = Set(ours.map(\.name))
        #expect(ours.map { $0.dependencies.intersection(names).count }.reduce(0, +) <= 150)
        var floors: [String: Int] = [:]
        for target in ours {
            let parts = target.path.split(separator: "/")
            #expect(parts.count == 4 && parts[3] == target.name)
            floors[target.name] = Int(String(parts[2].prefix(1))) ?? -1
        }
        #expect(Set(floors.values) == Set(0..<8))
        for target in ours {
            for used in target.dependencies.intersection(names) {
                #expect(floors[used, default: 8] < floors[target.name, default: 0], "\(target.name) uses \(used)")
            }
        }
        let rows = try ModuleTable.read(try Repository.text("docs/design.md"))
        for row in rows {
            for module in row.modules { #expect(floors[module].map { $0 == row.level } ?? true, "\(module)") }
        }
    }

    /// `TestSupport` is below all tests, also below those of the lowest modules.
    @Test("Tests use only modules of their floor and of lower ones, also through fixtures")
    func floorsOfTests() throws {
        let manifest = try Manifest.load()
        func floor(_ target: Manifest.Target) -> Int? {
            let parts = target.path.split(separator: "/")
            return parts.count == 4 && parts[1] == "Lane" ? Int(parts[2].prefix(1)) : nil
        }
        let tests = manifest.targets.filter { $0.kind == "test" && floor($0) != nil }
        #expect(tests.count > 20)
        for test in tests {
            let used = manifest.closure(of: test.name).subtracting(manifest.closure(of: "TestSupport"))
            let above = used.filter { name in manifest[name].flatMap(floor).map { $0 > floor(test) ?? 0 } ?? false }
            #expect(above == [], "\(test.name)")
        }
    }

    @Test("Other packages can depend on Tracer: SwiftPM refuses dependencies with unsafe flags")
    func unsafeFlags() throws {
        let manifest = try Manifest.load()
        let unsafe = Set(manifest.targets.filter(\.hasUnsafeFlags).map(\.name))
        #expect(unsafe.contains("lane"))
        #expect(unsafe.intersection(manifest.closure(of: "TracerViews").union(["Tracer"])) == [])
    }

    @Test("No Swift package is needed")
    func noPackages() throws {
        let manifest = try Manifest.load()
        #expect(manifest.packages == 0)
        #expect(manifest.toolsVersion.hasPrefix("6.2"))
    }

    @Test("The image's build has a directory for each target that only tests use")
    func directoriesOfTheImage() throws {
        let command = try #require(
            try Repository.lines("Dockerfile").first { $0.hasPrefix("RUN swift package dump-package") })
        let directory = try TemporaryDirectory()
        try directory.write(try Repository.text("Package.swift"), to: "Package.swift")
        let run = try ChildRunner().capture(
            Command(
                "sh", ["-c", String(command.dropFirst("RUN ".count))], environment: buildEnvironment(),
                directory: directory.path))
        #expect(run.report.succeeded, "\(run.errorText)")
        let missing = try Manifest.load().targets.map(\.path).filter { path in
            !path.hasPrefix("Sources/") && !isDirectory("\(directory.path)/\(path)")
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
            target.kind == "regular" && !Self.testHelpers.contains(target.name) && !target.path.contains("/C/")
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
    static func codeWords(_ cell: String) -> [String] {
        let parts = cell.split(separator: "`", omittingEmptySubsequences: false)
        return parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) }
    }
}
