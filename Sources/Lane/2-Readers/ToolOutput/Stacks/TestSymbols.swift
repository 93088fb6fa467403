import Text

/// The XCTest methods of a program, from the output of the LLVM tools.
package struct TestSymbols: Sendable {
    /// A function without parameters whose name begins with `test`.
    package struct Method: Sendable, Equatable {
        package let symbol: String
        /// The qualified name, such as `MathTests.SumTests.testOne`.
        package let name: String
        /// The address as a hexadecimal number with `0x` and without leading zeros.
        package let address: String
    }

    package private(set) var methods: [Method] = []
    /// A Boolean value that indicates whether the program uses XCTest's functions that measure performance.
    package private(set) var measures = false

    private static let measurement = "6XCTest0A4CaseC7measure"

    /// Parses the output of `llvm-nm`: lines with an address, a letter and a symbol, or without an address.
    package init(nm output: [UInt8]) {
        for line in output.split(separator: UInt8(ascii: "\n")) {
            let words = line.split(separator: UInt8(ascii: " "))
            if words.count == 2 {
                measures = measures || Self.contains(words[1], Self.measurement)
            } else if words.count == 3,
                words[1].first.map({ $0 == UInt8(ascii: "t") || $0 == UInt8(ascii: "T") }) ?? false,
                Self.mayBeMethod(words[2])
            {
                add(String(decoding: words[2], as: UTF8.self), at: String(decoding: words[0], as: UTF8.self))
            }
        }
    }

    /// Returns a Boolean value that indicates whether a mangled name is that of a function without parameters and
    /// result, so that few names must be demangled.
    private static func mayBeMethod(_ symbol: ArraySlice<UInt8>) -> Bool {
        guard symbol.starts(with: "$s".utf8), symbol.last == UInt8(ascii: "F") else { return false }
        let endings = ["yyF", "yyKF", "yyYaF", "yyYaKF"]
        return endings.contains { symbol.suffix($0.utf8.count).elementsEqual($0.utf8) } || contains(symbol, "YK")
    }

    private mutating func add(_ symbol: String, at address: String) {
        let name = FunctionName.readable(symbol)
        guard name.hasSuffix("()"), !name.contains(" "), let method = name.split(separator: ".").last,
            method.hasPrefix("test")
        else { return }
        let digits = address.drop { $0 == "0" }
        methods.append(Method(symbol: symbol, name: String(name.dropLast(2)), address: "0x\(digits)"))
    }

    private static func contains(_ bytes: ArraySlice<UInt8>, _ text: String) -> Bool {
        Array(bytes).firstOffset(of: text) != nil
    }

    /// Returns the files and lines in the JSON output of `llvm-symbolizer` by address.
    package static func places(symbolizer output: [UInt8]) -> [String: (path: String, line: Int)] {
        var places: [String: (path: String, line: Int)] = [:]
        for line in output.split(separator: UInt8(ascii: "\n")) {
            guard let node = try? JSONParser.parse(Array(line)) else { continue }
            for entry in node.array ?? [node] {
                guard let address = entry["Address"]?.string, let symbol = entry["Symbol"]?.array?.last else {
                    continue
                }
                let path = symbol["StartFileName"]?.string ?? symbol["FileName"]?.string ?? ""
                let number = symbol["StartLine"]?.integer ?? symbol["Line"]?.integer ?? 0
                if !path.isEmpty, path != "??", path != "<compiler-generated>", number > 0 {
                    places[address] = (path, number)
                }
            }
        }
        return places
    }

    /// Returns the symbols of functions that measure performance, from the output of `llvm-objdump -d`: lines such as
    /// `0000000000052540 <symbol>:`, each followed by its instructions.
    package static func measuring(objdump output: [UInt8]) -> Set<String> {
        var symbols: Set<String> = []
        var current: ArraySlice<UInt8> = []
        for line in output.split(separator: UInt8(ascii: "\n")) {
            if line.last == UInt8(ascii: ":"), let start = line.firstIndex(of: UInt8(ascii: "<")),
                line.first != UInt8(ascii: " ")
            {
                current = line[(start + 1)...].dropLast(2)
            } else if contains(line, measurement) {
                symbols.insert(String(decoding: current, as: UTF8.self))
            }
        }
        return symbols
    }
}
