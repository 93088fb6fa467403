import Testing

@testable import ChangeImpact
@testable import SwiftPackages

@Suite struct PathUsesTests {
    private static let file = "Tests/AppTests/Sub/FileTests.swift"

    private func reads(_ source: String, package: String = "") -> Set<String> {
        var uses = PathUses(directory: package)
        uses.add([(path: Self.file, tokens: SwiftScanner.tokens(of: Array(source.utf8)[...]))])
        return uses.reads
    }

    @Test(arguments: [
        (#"let x = read(#filePath)"#, ["Tests/AppTests/Sub/FileTests.swift"]),
        // A path that is only named is not read.
        (#"let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()"#, []),
        (
            """
            let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            func load() { Data(contentsOf: here.appendingPathComponent("Fixtures/a.json")) }
            """, ["Tests/AppTests/Sub/Fixtures/a.json"]
        ),
        (
            """
            static var root: URL {
                URL(filePath: #filePath)
                    .deletingLastPathComponent()
                    .deletingLastPathComponent()
                    .deletingLastPathComponent().deletingLastPathComponent()
            }
            let a = Data(contentsOf: Self.root.appending(path: "docs").appending(path: "x.md"))
            """, ["docs/x.md"]
        ),
        (
            """
            let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
            let a = read("\\(root)/Lanes/\\(name).yml"), b = read(root + "/docs/reference")
            """, ["Lanes", "docs/reference"]
        ),
        (
            """
            init() { self.base = URL(fileURLWithPath: #filePath).deletingLastPathComponent() }
            func load() { Data(contentsOf: base.appendingPathComponent("a.json")) }
            """, ["Tests/AppTests/Sub", "Tests/AppTests/Sub/a.json"]
        ),
        // The location of a caller is kept for a message.
        ("init(file: String = #filePath) { self.file = file }\nfunc fail() { report(self.file, file) }", []),
        // A whole directory is read where its name is used alone.
        (
            """
            let root = parentDirectory(parentDirectory(parentDirectory(#filePath)))
            run("ls", in: root)
            """, ["Tests"]
        ),
        (
            """
            func root() -> String { parentDirectory(parentDirectory(parentDirectory(parentDirectory(#file)))) }
            let files = list(root())
            """, [""]
        ),
        (
            """
            let folder = #filePath.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/Golden/logs"
            let a = read("\\(folder)/x.log")
            """, ["Tests/AppTests/Sub/Golden/logs/x.log"]
        ),
        (
            """
            let logs = parentDirectory(#filePath) + "/Logs"
            func damaged(_ name: String) -> String { var lines = read("\\(logs)/\\(name)"); lines.removeLast(); return lines }
            """, ["Tests/AppTests/Sub/Logs"]
        ),
        (#"let a = read(FileManager.default.currentDirectoryPath + "/README.md")"#, ["README.md"]),
        (#"let a = read("\(getcwd())/../Other/x")"#, ["Other/x"]),
        // The path of the caller is in the caller's target, unless the function leaves its directory.
        (
            """
            func golden(file: String = #filePath) { read(parentDirectory(file) + "/Golden/x") }
            func fail(file: StaticString = #filePath) {}
            """, []
        ),
        (
            """
            func golden(file: String = #filePath) { read(parentDirectory(parentDirectory(file)) + "/Golden/x") }
            """, ["Golden/x"]
        ),
        // A function may return a directory above its argument.
        (
            """
            func packageRoot(above file: String) -> String { while true { file = parentDirectory(file) } }
            let a = packageRoot(above: #filePath)
            """, [""]
        ),
        ("var url = URL(filePath: #filePath)\nurl.deleteLastPathComponent()", [""]),
        ("let root = #filePath.components(separatedBy: \"/Tests/\")[0]\nlet a = read(root + \"/x\")", [""]),
        ("let root = #filePath.prefix(upTo: end)", [""]),
        (
            """
            let root = URL(fileURLWithPath: #filePath, isDirectory: false)
                .deletingLastPathComponent().deletingLastPathComponent()
            let a = read(root.appendingPathComponent("x", isDirectory: true))
            """, ["Tests/AppTests/x"]
        ),
        // What a function returns for a path may be the content of a file.
        (
            """
            let logs = parentDirectory(#filePath) + "/Logs"
            let parts = read("\\(logs)/a.log").split(separator: " "), first = parts[0].trimmed
            """, ["Tests/AppTests/Sub/Logs/a.log"]
        ),
        (
            """
            let root = parentDirectory(#filePath)
            func entries(of path: String) { list(path).filter { $0 != ".." } }
            let all = entries(of: root + "/x")
            """, ["Tests/AppTests/Sub/x"]
        ),
        // It is not known how often the loop runs.
        ("var url = URL(filePath: #filePath)\nwhile more { url = url.deletingLastPathComponent() }\nlist(url)", [""]),
        ("let text = \"#filePath\" // #filePath", []),
    ])
    func pathsThatSourcesRead(_ source: String, _ expected: [String]) {
        let reads = reads(source)
        // The whole repository includes all else.
        #expect(reads == Set(expected) || (expected == [""] && reads.contains("")), "\(source)")
    }

    @Test func workingDirectoryIsThatOfThePackage() {
        #expect(reads(#"let a = read(currentDirectoryPath + "/x")"#, package: "app") == ["app/x"])
    }

    @Test func literalsAndCommentsEndWhereTheyDo() {
        let source = ##"""
            /* /* " */ */ let a = "x \(f("y \(z)")) w" // "
            let b = #"a\(1)"\#(c)"#, d = """
                e "f"
                """
            g
            """##
        let tokens = SwiftScanner.tokens(of: Array(source.utf8)[...])
        #expect(tokens.filter { $0.word != nil }.compactMap(\.word) == ["let", "a", "let", "b", "d", "g"])
        #expect(
            tokens.contains(
                .literal(
                    [
                        .text("x "),
                        .code([
                            .word("f"), .symbol(40),
                            .literal([.text("y "), .code([.word("z")]), .text("")], range: 30..<36), .symbol(41),
                        ]),
                        .text(" w"),
                    ], range: 23..<41)))
        #expect(
            tokens.contains(.literal([.text(#"a\(1)""#), .code([.word("c")]), .text("")], range: 58..<69)))
    }

    @Test func importsOfAllForms() {
        let source = SourceText(
            path: "a.swift",
            text: Array(
                """
                @testable import A
                public import B
                @_spi(Internals) import struct C.Value
                    import D // import X
                #if canImport(E)
                import E
                #endif
                // import F
                let text = "import G"
                """.utf8))
        #expect(source.imports == ["A", "B", "C", "D", "E"])
    }
}
