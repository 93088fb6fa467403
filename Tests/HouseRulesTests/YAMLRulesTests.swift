import OperatingSystem
import Testing

@Suite("YAML files pass the linter")
struct YAMLRulesTests {
    private let rules: YAMLRules

    init() throws {
        rules = try #require(YAMLRules(configuration: try Repository.text(".yamllint")))
    }

    @Test("No line of the files that ci/lint checks exceeds the limit of yamllint")
    func files() throws {
        let places = YAMLRules.places(inScript: try Repository.text("ci/lint"))
        let files = try places.flatMap { place in
            isDirectory("\(Repository.root)/\(place)") ? try Repository.files(below: place) : [place]
        }.filter { $0.hasSuffix(".yml") || $0.hasSuffix(".yaml") }
        #expect(Set(files).isSuperset(of: [".github/workflows/ci.yml", "Lanes/release.yml", "ci/azure-pipelines.yml"]))
        let faults = try files.flatMap { file in
            rules.faults(in: try Repository.text(file)).map { "\(file):\($0)" }
        }
        #expect(faults == [])
    }

    @Test("The limit is that of .yamllint")
    func limit() {
        #expect(rules.longestLine == 140)
        #expect(YAMLRules(configuration: "rules:\n  line-length: {max: 20}\n")?.longestLine == 20)
        #expect(YAMLRules(configuration: "rules:\n  truthy: disable\n") == nil)
    }

    @Test(
        "A line that is too long is found",
        arguments: [
            ("a: b \n", "1: blanks at the end"), ("a: b\r\n", "1: a carriage return"),
            ("#a\n", "1: no space behind '#'"),
            ("a:\n\tb\n", "2: a tab before the text"), ("a: b", "1: no line feed at the end"),
            ("a: b\n\n", "2: an empty line at the end"), ("\na: b\n", "1: an empty line at the beginning"),
            ("a: b\n\n\n\nc: d\n", "4: too many empty lines"),
            ("a: \(String(repeating: "b ", count: 69))c\n", "1: 142 characters"),
        ])
    func faults(_ text: String, _ fault: String) {
        #expect(rules.faults(in: text) == [fault])
    }

    @Test(
        "A line that yamllint permits is not reported",
        arguments: [
            "a: b\n\n\nc: d\n", "# a\n#\n## b\na: b  # c\n", "- \(String(repeating: "b", count: 200))\n",
            "a: \(String(repeating: "ü", count: 137))\n", "# \(String(repeating: "b", count: 200))\n",
        ])
    func counterexamples(_ text: String) {
        #expect(rules.faults(in: text) == [])
    }
}
