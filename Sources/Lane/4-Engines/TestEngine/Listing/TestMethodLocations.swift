import Events
import OperatingSystem
import SwiftPackages

/// The locations of XCTest methods. XCTest does not report them, so they are searched in the sources of the module.
///
/// The sources are split into words and not parsed: `func testName` belongs to the last `class Name`.
struct TestMethodLocations {
    private var places: [String: SourceLocation] = [:]
    private var measuring: Set<String> = []

    /// Reads the sources of modules in the usual directories of packages.
    init(modules: Set<String>, root: String) {
        for module in modules {
            for directory in ["Tests", "Sources", "Source", "src", "srcs"].map({ "\($0)/\(module)" }) {
                for file in files(below: "\(root)/\(directory)", where: { $0.hasSuffix(".swift") }) {
                    read(file: "\(directory)/\(file)", of: module, root)
                }
            }
        }
    }

    subscript(test: TestID) -> SourceLocation? { places[Self.key(test)] }

    /// Returns a Boolean value that indicates whether a method measures performance, which concurrent tests would
    /// affect.
    func measures(_ test: TestID) -> Bool { measuring.contains(Self.key(test)) }

    private static func key(_ test: TestID) -> String {
        "\(test.module).\(test.suite.split(separator: ".").last ?? "")/\(test.name)"
    }

    private static func isMeasurement(_ word: ArraySlice<UInt8>) -> Bool {
        word.elementsEqual("measure".utf8) || word.elementsEqual("measureMetrics".utf8)
    }

    private mutating func read(file: String, of module: String, _ root: String) {
        guard let bytes = try? readFile("\(root)/\(file)") else { return }
        var (type, method) = ("", "")
        for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            var words = line.swiftWords.makeIterator()
            var previous: ArraySlice<UInt8> = []
            while let word = words.next() {
                if previous.elementsEqual("class".utf8) || previous.elementsEqual("extension".utf8) {
                    // `class func` does not declare a type, and a lowercase word may be in a string.
                    let isCapital = word.first.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } ?? false
                    if isCapital { type = String(decoding: word, as: UTF8.self) }
                } else if previous.elementsEqual("func".utf8) {
                    method = ""
                    if word.starts(with: "test".utf8) {
                        method = "\(module).\(type)/\(String(decoding: word, as: UTF8.self))"
                        places[method] = places[method] ?? SourceLocation(path: file, line: index + 1)
                    }
                } else if !method.isEmpty, Self.isMeasurement(word) {
                    measuring.insert(method)
                }
                previous = word
            }
        }
    }
}
