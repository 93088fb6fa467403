import Reports
import TestSupport
import Testing
import ToolOutput

@Suite struct CoverageFileTests {
    private static let coverage = MeasuredCoverage(
        CoverageReport(files: [
            FileCoverage(
                path: "Sources/Shape/Shape.swift",
                lines: [(3, 2), (4, 2), (5, 0), (6, 0), (9, 1)].map { FileCoverage.Line($0.0, count: $0.1) }),
            FileCoverage(
                path: "Sources/Shape/More/A & B.swift",
                lines: [(1, 0), (2, 0)].map { FileCoverage.Line($0.0, count: $0.1) }),
            FileCoverage(path: "Root.swift", lines: [FileCoverage.Line(1, count: 1)]),
        ]), root: "/src/Shape", date: 1_700_000_000
    ) { path in
        path == "Root.swift"
            ? nil : (1...9).map { $0 == 6 ? "    return a < b ? \"<\" : \"&\"" : "line \($0) of \(path)" }
    }

    private static func text(_ name: String, of coverage: MeasuredCoverage = coverage) throws -> String {
        let format = try #require(CoverageFormat.all.first { $0.name == name })
        return String(decoding: format.bytes(coverage), as: UTF8.self)
    }

    @Test(arguments: [("lcov", "coverage.info"), ("cobertura", "coverage.xml"), ("html", "coverage.html")])
    func files(format: String, golden: String) throws {
        expectGolden(try Self.text(format), golden)
    }

    /// Links of the list lead to lines that are shown. A file without its source has a link to its section.
    @Test func thePageMarksChangedLines() throws {
        func part(_ path: String, _ lines: (Int, Int)...) -> FileCoverage {
            FileCoverage(path: path, lines: lines.map { FileCoverage.Line($0.0, count: $0.1) })
        }
        let lost = part("Lost & found.swift", (7, 0))
        let changed = CoverageReport(files: [
            lost, part("Root.swift", (1, 1)), part("Sources/Shape/Shape.swift", (3, 2), (5, 0), (6, 0)),
        ])
        func page(_ changed: CoverageReport) throws -> String {
            try Self.text(
                "html",
                of: MeasuredCoverage(
                    CoverageReport(files: Self.coverage.report.files + [lost]),
                    changed: MeasuredCoverage.Changed(changed, since: "1f3c0a9d2 of 'a<b'"), root: "/src/Shape",
                    date: 1_700_000_000, source: { $0.hasPrefix("Lost") ? nil : Self.coverage.source($0) }))
        }
        let text = try page(changed)
        expectGolden(text, "coverage-changed.html")
        let targets = Set(text.matches(of: /\sid="([^"]+)"/).map { String($0.1) })
        for link in text.matches(of: /href="#([^"]+)"/) { #expect(targets.contains(String(link.1))) }
        #expect(
            try page(CoverageReport(files: [])).contains(
                "<p>No line with code differs from 1f3c0a9d2 of 'a&lt;b'.</p>"))
    }

    /// The elements, their children in order, and their attributes, as `coverage-04.dtd` requires them.
    private static let definition: [String: (children: [String], attributes: Set<String>)] = [
        "coverage": (
            ["sources", "packages"],
            [
                "line-rate", "branch-rate", "lines-covered", "lines-valid", "branches-covered", "branches-valid",
                "complexity", "version", "timestamp",
            ]
        ),
        "sources": (["source"], []), "source": ([], []), "packages": (["package"], []),
        "package": (["classes"], ["name", "line-rate", "branch-rate", "complexity"]), "classes": (["class"], []),
        "class": (["methods", "lines"], ["name", "filename", "line-rate", "branch-rate", "complexity"]),
        "methods": ([], []), "lines": (["line"], []), "line": ([], ["number", "hits", "branch"]),
    ]

    @Test func coberturaHasTheElementsOfItsDefinition() throws {
        for coverage in [Self.coverage, MeasuredCoverage(CoverageReport(files: []), root: "/", date: 0) { _ in nil }] {
            let document = try XMLDocument(try Self.text("cobertura", of: coverage))
            for element in document.elements {
                let expected = try #require(Self.definition[element.name], "\(element.name)")
                #expect(Set(element.attributes.keys) == expected.attributes, "\(element.name)")
                let isSequence = expected.children.count > 1 || element.name == "package"
                #expect(
                    isSequence
                        ? element.children == expected.children
                        : element.children.allSatisfy { expected.children.contains($0) }, "\(element.name)")
            }
            #expect(document.all("line").count == coverage.report.lines)
        }
    }

    /// A source that has changed or was deleted since the build is not shown, but its lines are listed.
    @Test(arguments: [nil, [], ["one"]] as [[String]?]) func thePageDoesWithoutSources(source: [String]?) throws {
        let file = FileCoverage(path: "A.swift", lines: [1, 2, 5].map { FileCoverage.Line($0, count: 0) })
        let coverage = MeasuredCoverage(CoverageReport(files: [file]), root: "/", date: 0) { _ in source }
        let page = try Self.text("html", of: coverage)
        #expect(page.contains(source?.count == 1 ? ">one</span></pre>" : "<p>lines 1–2, 5</p>"), "\(page.suffix(1500))")
        #expect(page.hasSuffix("</html>\n"))
        #expect(
            try Self.text("html", of: MeasuredCoverage(CoverageReport(files: []), root: "/", date: 0) { _ in nil })
                .contains("<h1>100.0 % of the lines are covered</h1>"))
    }
}
