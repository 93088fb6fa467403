import Events
import OperatingSystem
import ToolOutput

/// The locations of XCTest methods, which XCTest does not report, from the debug information of a binary.
///
/// The LLVM tools of the toolchain read it in one call for all methods. Without them, no location is known.
struct TestMethodLocations {
    private struct Place {
        let location: SourceLocation
        let measures: Bool
    }

    private var places: [String: Place] = [:]
    /// The names of the methods in each module that only one class declares, with their qualified names. Subclasses
    /// inherit methods.
    private var single: [String: String?] = [:]

    /// Reads the locations. `scratch` is a private directory.
    init(binary: String, in package: SwiftPackage, _ processes: any ProcessRunner, scratch: String) {
        guard let tools = try? package.toolchainDirectory(processes) else { return }
        func run(_ tool: String, _ words: [String]) -> [UInt8]? {
            let command = Command("\(tools)/\(tool)", words, environment: package.environment, directory: scratch)
            guard let run = try? processes.capture(command), run.report.succeeded else { return nil }
            return run.standardOutput
        }
        /// The arguments of thousands of methods need a file.
        func file(_ words: [String]) -> String? {
            let path = "\(scratch)/\(lastPathComponent(binary)).arguments"
            return (try? writeFile(Array(words.joined(separator: "\n").utf8), to: path)).map { _ in "@\(path)" }
        }
        guard let symbols = run("llvm-nm", [binary]).map(TestSymbols.init(nm:)), !symbols.methods.isEmpty,
            let addresses = file(symbols.methods.map(\.address)),
            let output = run("llvm-symbolizer", ["--obj=\(binary)", "--output-style=JSON", "--no-demangle", addresses])
        else { return }
        let found = TestSymbols.places(symbolizer: output)
        var measuring: Set<String> = []
        if symbols.measures, let names = file(symbols.methods.map { "--disassemble-symbols=\($0.symbol)" }) {
            measuring =
                run("llvm-objdump", ["-d", "--no-show-raw-insn", names, binary]).map(TestSymbols.measuring) ?? []
        }
        for method in symbols.methods {
            guard let place = found[method.address] else { continue }
            let path = relativePath(resolvedPath(place.path) ?? place.path, to: package.directory)
            let location = SourceLocation(path: path, line: place.line)
            places[method.name] = Place(location: location, measures: measuring.contains(method.symbol))
            let key = Self.inherited(method.name)
            single[key] = single[key] == nil ? .some(method.name) : .some(nil)
        }
    }

    /// Returns a test with the location of its method.
    func locating(_ test: ListedTest) -> ListedTest {
        guard test.id.library == .xctest, test.info.location == nil else { return test }
        let name = "\(test.id.module).\(test.id.suite).\(test.id.name)"
        guard let place = places[name] ?? (single[Self.inherited(name)] ?? nil).flatMap({ places[$0] }) else {
            return test
        }
        var test = test
        test.info = TestInfo(id: test.id, location: place.location)
        test.isExclusive = place.measures
        return test
    }

    /// Returns the module and the method of a qualified name.
    private static func inherited(_ name: String) -> String {
        let parts = name.split(separator: ".")
        return "\(parts.first ?? "").\(parts.last ?? "")"
    }
}
