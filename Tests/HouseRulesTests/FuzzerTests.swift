import OperatingSystem
import TestSupport
import Testing
import Text

@Suite("ci/fuzz can build its fuzzers")
struct FuzzerTests {
    /// A fuzzer, and the modules that `ci/fuzz` builds for it.
    struct Fuzzer: CustomTestStringConvertible {
        let name: String
        let modules: [String]

        var testDescription: String { name }

        /// Reads the calls of the function `fuzz MODULES HARNESS SEEDS SECONDS`.
        static func all() throws -> [Fuzzer] {
            try Repository.text("ci/fuzz").matches(of: #/(?m)^ +fuzz (?:'([\w ]+)'|(\w+)) (\w+) /#).map { match in
                let modules = match.output.1 ?? match.output.2 ?? ""
                return Fuzzer(name: String(match.output.3), modules: modules.split(separator: " ").map(String.init))
            }
        }

        var path: String { "Tests/Support/Fuzz/\(name).swift" }
    }

    @Test("Each file of fuzzers is one that it builds")
    func allAreBuilt() throws {
        let files = try Repository.swiftFiles(below: "Tests/Support/Fuzz")
        #expect(Set(try Fuzzer.all().map(\.path)) == Set(files))
    }

    @Test("Its modules exist and contain what the fuzzer imports")
    func modules() throws {
        let manifest = try Manifest.load()
        for fuzzer in try Fuzzer.all() {
            let imports = try Repository.text(fuzzer.path).matches(of: #/(?m)^import (\w+)/#).map {
                String($0.output.1)
            }
            let built = fuzzer.modules.reduce(into: Set<String>()) { $0.formUnion(manifest.closure(of: $1)) }
            let missing = Set(imports).subtracting(built)
            #expect(missing.isEmpty && fuzzer.modules.allSatisfy { manifest[$0] != nil }, "\(fuzzer)")
        }
    }

    @Test("They compile with the modules of this build, as do the other programs that no target contains")
    func compile() throws {
        let root = Repository.root
        let package = String(lastPathComponent(root).lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })
        let maps = try listDirectory("\(root)/Sources/Lane/C").map { "\(root)/Sources/Lane/C/\($0)/module.modulemap" }
        let manifest = try Manifest.load()
        let programs = try ["Tests/Support", "ci"].flatMap(Repository.swiftFiles).filter {
            manifest.target(of: $0) == nil
        }
        #expect(programs.count > (try Fuzzer.all().count))
        for program in programs {
            let isScript = try !Repository.text(program).contains(#/@main|@_cdecl/#)
            let run = try ChildRunner().capture(
                Command(
                    "swiftc",
                    [
                        "-typecheck", "-swift-version", "6", "-enable-upcoming-feature", "InternalImportsByDefault",
                        "-package-name", package, "-I", "\(productsDirectory)/Modules", "\(root)/\(program)",
                    ] + (isScript ? [] : ["-parse-as-library"])
                        + maps.filter { fileKind($0) == .file }.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] },
                    environment: buildEnvironment()),
                limits: RunLimits(timeout: .seconds(300)))
            #expect(run.report.succeeded, "\(program): \(run.errorText)")
        }
    }
}
