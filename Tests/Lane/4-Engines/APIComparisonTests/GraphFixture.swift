import Text

@testable import APIComparison

/// A symbol graph of a module `Shapes`, written as the compiler does.
struct GraphFixture {
    private var symbols: [String] = []
    private var relationships: [String] = []

    /// Adds a declaration. Its name is also its identifier, unless `identifier` is another one.
    mutating func add(
        _ kind: String, _ name: String, _ declaration: String, identifier: String? = nil, access: String = "public",
        line: Int = 1, more: String = ""
    ) {
        let path = name.split(separator: "/").map { "\"\($0)\"" }.joined(separator: ",")
        symbols.append(
            """
            {"kind": {"identifier": "swift.\(kind)"}, "identifier": {"precise": "\(identifier ?? name)"},
             "pathComponents": [\(path)], "accessLevel": "\(access)",
             "declarationFragments": [{"kind": "text", "spelling": "\(declaration)"}],
             "location": {"uri": "file:///p/Sources/Shapes/Shapes.swift", "position": {"line": \(line - 1), "character": 4}}
             \(more)}
            """)
    }

    mutating func relate(_ kind: String, _ source: String, _ target: String, fallback: String? = nil) {
        let more = fallback.map { ", \"targetFallback\": \"\($0)\"" } ?? ""
        relationships.append("{\"kind\": \"\(kind)\", \"source\": \"\(source)\", \"target\": \"\(target)\"\(more)}")
    }

    func snapshot() throws -> APISnapshot {
        let text = """
            {"symbols": [\(symbols.joined(separator: ","))], "relationships": [\(relationships.joined(separator: ","))]}
            """
        var snapshot = APISnapshot()
        snapshot.add([try JSONParser.parse(text)], module: "Shapes", root: "/p")
        return snapshot
    }

    /// Returns the changes between two graphs.
    static func changes(_ old: (inout GraphFixture) -> Void, _ new: (inout GraphFixture) -> Void) throws -> [APIChange]
    {
        var (before, after) = (GraphFixture(), GraphFixture())
        old(&before)
        new(&after)
        return APIComparison(from: try before.snapshot(), to: try after.snapshot()).changes()
    }
}
