import Text

/// The programs that use types, cases and relations.
extension WitnessWriter {
    func matches(_ symbol: APISymbol, _ parsed: Declaration) -> [Witness] {
        let parameters = parsed.parameters ?? []
        let names = parameters.indices.map { "p\($0)" }
        let list = zip(parameters, names).map { "_ \($1): \($0.type)" }.joined(separator: ", ")
        let make = "Self.\(parsed.name)" + (parameters.isEmpty ? "" : "(\(Self.arguments(parameters, names)))")
        let pattern = names.isEmpty ? "" : "(\(names.map { "let \($0)" }.joined(separator: ", ")))"
        let body = names.isEmpty ? "" : " _ = (\(names.joined(separator: ", "))) "
        return [
            program(["private static func witness(\(list)) -> Self { return \(make) }"], for: symbol),
            program(["private func witness() { if case .\(parsed.name)\(pattern) = self {\(body)} }"], for: symbol),
        ]
    }

    func aliases(_ symbol: APISymbol, _ parsed: Declaration) -> [Witness] {
        let arguments = parsed.genericArguments
        let name = (symbol.path.count > 1 ? "Self." : "") + parsed.name + arguments
        return [
            program(["private typealias Witness\(parsed.generics) = \(name)\(parsed.clause)"], for: symbol),
            program(
                [
                    "private \(symbol.path.count > 1 ? "static " : "")func witness\(parsed.generics)"
                        + "(_ value: @escaping () -> \(name)) -> () -> \(parsed.type ?? "")\(parsed.clause) { return value }"
                ], for: symbol),
        ]
    }

    func types(_ symbol: APISymbol, _ parsed: Declaration) -> [Witness] {
        var witnesses = [Witness(["extension \(symbol.name) {}"], importing: modules(of: symbol))]
        if symbol.kind == "protocol" {
            witnesses.append(
                Witness(["private func witness<T: \(symbol.name)>(_ value: T) {}"], importing: modules(of: symbol)))
            witnesses += conformances(to: symbol)
        } else {
            witnesses.append(
                program(
                    [
                        "private \(symbol.path.count > 1 ? "static " : "")func witness\(parsed.generics)"
                            + "(_ value: \(parsed.name)\(parsed.genericArguments))\(parsed.clause) {}"
                    ], for: symbol))
        }
        if symbol.kind == "class", parsed.keyword == "class" {
            witnesses.append(
                Witness(
                    ["private func witness(_ value: \(symbol.name)) -> AnyObject { return value }"],
                    importing: modules(of: symbol)))
        }
        if symbol.isOpen {
            witnesses.append(Witness(["private class Witness: \(symbol.name) {}"], importing: modules(of: symbol)))
        }
        return witnesses
    }

    /// Returns programs that use an associated type and its constraint, and conform to its protocol.
    func associatedTypes(_ symbol: APISymbol, _ parsed: Declaration, new: APISymbol?) -> [Witness] {
        var programs = [program(["private typealias Witness = Self.\(parsed.name)"], for: symbol)]
        if let type = parsed.type {
            let constraint = Self.text(type, before: " =").replacing(", ", with: " & ")
            programs.append(
                program(
                    [
                        "private static func require<T: \(constraint)>(_ type: T.Type) {}",
                        "private static func witness() { require(Self.\(parsed.name).self) }",
                    ], for: symbol))
        }
        // A lost default is the break of a requirement.
        let constraints = [symbol.declaration, new?.declaration ?? ""].map { Self.text($0, before: " =") }
        guard let parent = old.type(symbol.parentName) else { return programs }
        if let new { programs += lostConstraints(of: parent, symbol, new: new) }
        return constraints[0] == constraints[1] ? programs : programs + conformances(to: parent)
    }

    /// Returns the program that names the primary associated types of a protocol, if there are any.
    func primaryTypes(_ symbol: APISymbol, _ parsed: Declaration) -> [Witness] {
        guard !parsed.generics.isEmpty else { return [] }
        let names = parsed.genericArguments.dropFirst().dropLast()
        let line = "private func witness<\(names), Witness: \(symbol.name)<\(names)>>(_ value: Witness) {}"
        return [Witness([line], importing: modules(of: symbol))]
    }

    /// Returns a program that switches over all cases of an enumeration.
    func exhaustiveSwitch(over symbol: APISymbol) -> Witness {
        var lines = ["private func witness(_ value: \(symbol.name)) {", "    switch value {"]
        lines += old.cases(of: symbol.name).map { "    case .\(Declaration($0.declaration).name): break" }
        return Witness(lines + ["    }", "}"], importing: modules(of: symbol))
    }

    /// Returns a program that needs a conformance or a superclass.
    func relation(_ relation: APISnapshot.Relation, of symbol: APISymbol) -> Witness {
        let imports = modules(of: symbol, [relation.module])
        if relation.isInheritance {
            return Witness(
                ["private func witness(_ value: \(symbol.name)) -> \(relation.target) { return value }"],
                importing: imports)
        }
        let require = "private func require<T: \(relation.target)>(_ type: T.Type) {}"
        if symbol.kind == "protocol" {
            return Witness(
                [require, "private func witness<T: \(symbol.name)>(_ type: T.Type) { require(type) }"],
                importing: imports)
        }
        let clause = relation.constraints.isEmpty ? "" : " where " + relation.constraints.joined(separator: ", ")
        return Witness(
            [
                require, "extension \(symbol.name)\(clause) {",
                "    private static func witness() { require(\(symbol.name).self) }", "}",
            ], importing: imports)
    }
}
