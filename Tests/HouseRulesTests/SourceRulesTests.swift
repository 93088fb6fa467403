import Testing

@Suite("Sources keep the house rules")
struct SourceRulesTests {
    private static let files = Result {
        try Repository.swiftFiles(below: "Sources") + Repository.swiftFiles(below: "Tests") + ["Package.swift"]
    }

    private static let lines = Result {
        try files.get().map { (path: $0, lines: swiftLines(try Repository.lines($0))) }
    }

    @Test(arguments: SourceRule.all)
    func isKept(_ rule: SourceRule) throws {
        var violations: [String] = []
        for (path, lines) in try Self.lines.get() where rule.concerns(path) {
            for (index, line) in lines.enumerated() where rule.forbids(line) {
                violations.append("\(path):\(index + 1): \(line.text)")
            }
        }
        #expect(violations == [])
    }

    @Test(arguments: SourceRule.all)
    func findsWhatItIsAbout(_ rule: SourceRule) {
        for example in rule.examples {
            #expect(swiftLines([example[...]]).contains(where: rule.forbids), "\(example)")
        }
        for example in rule.counterexamples {
            #expect(!swiftLines([example[...]]).contains(where: rule.forbids), "\(example)")
        }
    }

    @Test("A function fits a screen: at most 60 lines")
    func functionLength() throws {
        let long = try Self.lines.get().flatMap { path, lines in
            functions(in: lines).filter { $0.count > 60 }.map { "\(path):\($0.lowerBound + 1): \($0.count) lines" }
        }
        #expect(long == [])
        let example = swiftLines(["    package func a() {", "        {", "        }", "    }", "    func b()", "}"])
        #expect(functions(in: example) == [0..<4])
    }

    /// Returns the lines of each function and initializer, which end with a brace at the same indentation.
    private func functions(in lines: [SwiftLine]) -> [Range<Int>] {
        lines.indices.compactMap { start in
            guard lines[start].words.contains(where: { $0 == "func" || $0 == "init" }) else { return nil }
            let words = lines[start].code.split(whereSeparator: { $0 == " " || $0 == "(" })
            guard words.contains("func") || words.contains("init") && !words.contains("self.init") else { return nil }
            let indentation = lines[start].text.prefix { $0 == " " }
            let end = lines[start...].dropFirst().firstIndex { line in
                let code = line.code.drop { $0 == " " }
                return !code.isEmpty && !code.hasPrefix(")") && line.text.prefix { $0 == " " } <= indentation
            }
            guard let end, lines[end].text.hasPrefix(indentation + "}") else { return nil }
            return start..<end + 1
        }
    }

    @Test("A file that declares types has the name of one, unless it is an extension 'Type+Subject'")
    func fileNames() throws {
        let violations = try Self.lines.get().filter { path, lines in
            path.hasPrefix("Sources/") && !isNamedAsContent(path, lines)
        }
        #expect(violations.map(\.0) == [])
        let lines = swiftLines(["package struct A {", "    enum D {}", "}", "private enum B {}", "extension C.D {}"])
        #expect(isNamedAsContent("x/A.swift", lines))
        #expect(!["x/B.swift", "x/C.swift", "x/D.swift"].contains { isNamedAsContent($0, lines) })
    }

    private func isNamedAsContent(_ path: String, _ lines: [SwiftLine]) -> Bool {
        let name = path.split(separator: "/").last?.split(separator: ".").first ?? ""
        let types = lines.compactMap { line -> Substring? in
            let isTopLevel = line.code.first.map { !$0.isWhitespace } ?? false
            guard isTopLevel, let keyword = line.words.firstIndex(where: Self.typeKeywords.contains),
                line.words[..<keyword].allSatisfy({ !["private", "fileprivate", "extension", "func"].contains($0) })
            else { return nil }
            return line.words[(keyword + 1)...].first
        }
        return name.contains("+") || types.isEmpty || types.contains(name)
    }

    private static let typeKeywords: Set<Substring> = ["struct", "class", "enum", "protocol", "actor"]

    @Test("No placeholder file remains")
    func placeholders() throws {
        #expect(try Self.files.get().filter { $0.hasSuffix("/Placeholder.swift") } == [])
    }

    @Test("Code after a comment above it counts as explained; text in quotation marks is not code")
    func lineReading() {
        let lines = swiftLines([
            "// why", "a(\"x // \\\" y\") // z", "\"\"\"", "b!", "\"\"\"", "c", "d(\"\\(e ? \"!\" : \"(\")!\")f",
        ])
        #expect(lines.map(\.code) == ["", "a(\"\") ", "", "", "", "c", "d(\"\")f"])
        #expect(lines.map(\.isExplained) == [true, true, false, false, false, false, false])
        #expect(lines.map(\.comment) == ["// why", "// z", "", "", "", "", ""])
        #expect(lines.map(\.literals) == ["", "x // \\\" y ", "", "b!", "", "", "! "])
    }
}
