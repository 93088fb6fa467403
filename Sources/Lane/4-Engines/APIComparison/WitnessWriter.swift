import Text

/// Writes witnesses: small programs that use a declaration of a version. For a method `f(_:)` of `Box` in `Shapes`:
///
///     import Shapes
///     extension Box {
///         private func witness(_ x: Int) -> Int { return self.f(x) }
///     }
///
/// All declarations of a program are private, so many programs can be compiled as one module. A member is used in an
/// extension of its type, in which the generic parameters and nested types are in scope.
struct WitnessWriter {
    /// The version that the programs compile with.
    let old: SymbolIndex

    /// Returns programs that use a declaration, the most convincing one first.
    ///
    /// - Parameter new: The declaration in the new version, if there is one.
    func witnesses(for symbol: APISymbol, new: APISymbol? = nil) -> [Witness] {
        let parsed = Declaration(symbol.declaration)
        let isolation = new.map { Set(Declaration($0.declaration).isolation).subtracting(parsed.isolation) } ?? []
        switch parsed.keyword {
        case "func", "init", "subscript": return calls(symbol, parsed, isNonisolated: !isolation.isEmpty)
        case "var", "let": return accesses(symbol, parsed, isNonisolated: !isolation.isEmpty)
        case "case": return matches(symbol, parsed)
        case "typealias": return aliases(symbol, parsed)
        case "associatedtype":
            return [program(["private typealias Witness = Self.\(parsed.name)"], for: symbol)]
        case "struct", "class", "actor", "enum", "protocol": return types(symbol, parsed)
        default: return []
        }
    }

    /// Returns the program that contains lines in the context of a symbol.
    private func program(_ lines: [String], for symbol: APISymbol, isReference: Bool = false) -> Witness {
        let context = symbol.path.count > 1 ? (symbol.parentName, symbol.constraints) : nil
        return Witness(lines, in: context, importing: modules(of: symbol), isReference: isReference)
    }

    private func modules(of symbol: APISymbol, _ more: [String?] = []) -> [String] {
        let foreign = symbol.foreignModules.union(more.compactMap { $0 }).union(
            symbol.namesC ? old.snapshot.modulesOfC : [])
        return [symbol.module] + foreign.subtracting([symbol.module, "Swift"]).sorted()
    }

    // MARK: Functions

    private func calls(_ symbol: APISymbol, _ parsed: Declaration, isNonisolated: Bool) -> [Witness] {
        let parameters = parsed.parameters ?? []
        var witnesses = [call(symbol, parsed, parameters, isNonisolated: isNonisolated)]
        let required = parameters.filter { !$0.hasDefault }
        if required.count < parameters.count {
            witnesses.append(call(symbol, parsed, required, isNonisolated: isNonisolated))
        }
        if let type = parsed.type, type.hasSuffix("?"), parsed.keyword != "init" {
            witnesses.append(call(symbol, parsed, parameters, isNonisolated: isNonisolated, unwraps: true))
        }
        if symbol.isOpen, parsed.keyword == "func", parsed.generics.isEmpty {
            witnesses.append(override(symbol, parsed))
        }
        if let reference = reference(symbol, parsed) { witnesses.append(reference) }
        return witnesses
    }

    private func call(
        _ symbol: APISymbol, _ parsed: Declaration, _ parameters: [Declaration.Parameter], isNonisolated: Bool,
        unwraps: Bool = false
    ) -> Witness {
        let names = parameters.indices.map { Self.name(of: parameters[$0], at: $0, besides: parsed.name) }
        let values = zip(parameters, names).map { parameter, name in
            let value = parameter.type.hasPrefix("inout ") ? "&\(name)" : name
            return parameter.type.contains("@autoclosure") ? "\(value)()" : value
        }
        let labeled = zip(parameters, values).map { parameter, value in
            parameter.label.map { "\($0): \(value)" } ?? value
        }.joined(separator: ", ")
        let isStatic = parsed.isStatic || parsed.keyword == "init"
        var use: String
        switch parsed.keyword {
        case "init":
            let type = old.type(symbol.parentName)?.kind == "protocol" ? "Self" : symbol.parentName
            use = "let _: \(type)\(parsed.type == nil ? "" : "?") = \(parsed.marks)\(type)(\(labeled))"
        case "subscript": use = "\(parsed.marks)\(parsed.isStatic ? "Self" : "self")[\(labeled)]"
        default: use = parsed.marks + self.use(symbol, parsed, values, labeled)
        }
        let result = parsed.keyword == "init" ? nil : parsed.result
        if unwraps {
            use = "if let value = \(use) { _ = value }"
        } else if result != nil {
            use = "return \(use)"
        }
        let list = zip(parameters, names).map { parameter, name in
            "_ \(name): \(parameter.type.hasSuffix("...") ? String(parameter.type.dropLast(3)) : parameter.type)"
        }.joined(separator: ", ")
        var head = parsed.head(isStatic: isStatic, isNonisolated: isNonisolated)
        head += "func witness\(parsed.generics)(\(list))"
        head += parsed.callEffects.isEmpty ? "" : " \(parsed.callEffects)"
        if let result, !unwraps { head += " -> \(result)" }
        if !parsed.constraints.isEmpty { head += " \(parsed.constraints)" }
        return program(["\(head) { \(use) }"], for: symbol)
    }

    /// Returns a call of a function or operator.
    private func use(_ symbol: APISymbol, _ parsed: Declaration, _ values: [String], _ labeled: String) -> String {
        if symbol.kind == "func.op" {
            if values.count == 2 { return "\(values[0]) \(parsed.name) \(values[1])" }
            let value = values.first ?? ""
            return parsed.modifiers.contains("postfix") ? value + parsed.name : parsed.name + value
        }
        return "\(receiver(of: symbol, parsed))\(Self.escaped(parsed.name, symbol))(\(labeled))"
    }

    private func receiver(of symbol: APISymbol, _ parsed: Declaration) -> String {
        symbol.path.count == 1 ? "" : parsed.isStatic ? "Self." : "self."
    }

    private func override(_ symbol: APISymbol, _ parsed: Declaration) -> Witness {
        let parameters = parsed.parameters ?? []
        let names = parameters.indices.map { Self.name(of: parameters[$0], at: $0, besides: "") }
        let list = zip(parameters, names).map { parameter, name in
            let label = parameter.label.map { $0 == name ? "" : "\($0) " } ?? "_ "
            return "\(label)\(name): \(parameter.type)"
        }.joined(separator: ", ")
        let result = parsed.result.map { " -> \($0)" } ?? ""
        let effects = parsed.effects.isEmpty ? "" : " \(parsed.effects)"
        let word = parsed.isStatic ? "override class func" : "override func"
        return Witness(
            [
                "private class Witness: \(symbol.parentName) {",
                "    \(word) \(parsed.name)(\(list))\(effects)\(result) { fatalError() }", "}",
            ], importing: modules(of: symbol))
    }

    /// Returns a program that refers to a function, or `nil` if its type cannot be written.
    private func reference(_ symbol: APISymbol, _ parsed: Declaration) -> Witness? {
        guard parsed.keyword == "func", parsed.generics.isEmpty, symbol.kind != "func.op",
            !parsed.modifiers.contains("mutating"), let parameters = parsed.parameters,
            !parameters.contains(where: { $0.type.contains("@autoclosure") || $0.type.hasSuffix("...") })
        else { return nil }
        let types = parameters.map { $0.type.replacing("@escaping ", with: "") }.joined(separator: ", ")
        let effects = parsed.effects.isEmpty ? "" : " \(parsed.effects.replacing("rethrows", with: "throws"))"
        let labels = parameters.map { "\($0.label ?? "_"):" }.joined()
        let name = receiver(of: symbol, parsed) + Self.escaped(parsed.name, symbol)
        let value = parameters.isEmpty ? name : "\(name)(\(labels))"
        let head = parsed.head(isStatic: parsed.isStatic, isNonisolated: false)
        return program(
            ["\(head)func witness() { let _: (\(types))\(effects) -> \(parsed.result ?? "Void") = \(value) }"],
            for: symbol, isReference: true)
    }

    // MARK: Properties

    private func accesses(_ symbol: APISymbol, _ parsed: Declaration, isNonisolated: Bool) -> [Witness] {
        guard let type = parsed.type else { return [] }
        let value = receiver(of: symbol, parsed) + Self.escaped(parsed.name, symbol)
        let accessors = parsed.accessors ?? (parsed.keyword == "let" ? "get" : "get set")
        let words = accessors.split(separator: " ")
        let effects = words.filter { $0 == "async" || $0.hasPrefix("throws") }.joined(separator: " ")
        let marks =
            (words.contains { $0.hasPrefix("throws") } ? "try " : "") + (words.contains("async") ? "await " : "")
        let head = parsed.head(isStatic: parsed.isStatic, isNonisolated: isNonisolated)
        let suffix = effects.isEmpty ? "" : " \(effects)"
        var lines = ["\(head)func witness()\(suffix) -> \(type) { return \(marks)\(value) }"]
        if type.hasSuffix("?") {
            lines.append("\(head)func witness()\(suffix) { if let value = \(marks)\(value) { _ = value } }")
        }
        if words.contains("set") {
            let parent = old.type(symbol.parentName)
            let isClass = parent?.kind == "class" || parent?.declaration.contains("AnyObject") ?? false
            let mutating =
                symbol.path.count > 1 && !parsed.isStatic && !isClass && !words.contains("nonmutating")
                ? "mutating " : ""
            lines.append("\(head)\(mutating)func witness(_ value: \(type)) { \(value) = value }")
        }
        return lines.map { program([$0], for: symbol) }
    }

    // MARK: Types

    private func matches(_ symbol: APISymbol, _ parsed: Declaration) -> [Witness] {
        let parameters = parsed.parameters ?? []
        let names = parameters.indices.map { "p\($0)" }
        let list = zip(parameters, names).map { "_ \($1): \($0.type)" }.joined(separator: ", ")
        let values = zip(parameters, names).map { parameter, name in
            parameter.label.map { "\($0): \(name)" } ?? name
        }.joined(separator: ", ")
        let make = "Self.\(parsed.name)" + (parameters.isEmpty ? "" : "(\(values))")
        let pattern = names.isEmpty ? "" : "(\(names.map { "let \($0)" }.joined(separator: ", ")))"
        let body = names.isEmpty ? "" : " _ = (\(names.joined(separator: ", "))) "
        return [
            program(["private static func witness(\(list)) -> Self { return \(make) }"], for: symbol),
            program(["private func witness() { if case .\(parsed.name)\(pattern) = self {\(body)} }"], for: symbol),
        ]
    }

    private func aliases(_ symbol: APISymbol, _ parsed: Declaration) -> [Witness] {
        let arguments = parsed.genericArguments
        let clause = parsed.constraints.isEmpty ? "" : " \(parsed.constraints)"
        let name = (symbol.path.count > 1 ? "Self." : "") + parsed.name + arguments
        return [
            program(["private typealias Witness\(parsed.generics) = \(name)\(clause)"], for: symbol),
            program(
                [
                    "private \(symbol.path.count > 1 ? "static " : "")func witness\(parsed.generics)"
                        + "(_ value: @escaping () -> \(name)) -> () -> \(parsed.type ?? "")\(clause) { return value }"
                ], for: symbol),
        ]
    }

    private func types(_ symbol: APISymbol, _ parsed: Declaration) -> [Witness] {
        var witnesses = [Witness(["extension \(symbol.name) {}"], importing: modules(of: symbol))]
        let clause = parsed.constraints.isEmpty ? "" : " \(parsed.constraints)"
        if symbol.kind == "protocol" {
            witnesses.append(
                Witness(["private func witness<T: \(symbol.name)>(_ value: T) {}"], importing: modules(of: symbol)))
            witnesses += conformances(to: symbol)
        } else {
            witnesses.append(
                program(
                    [
                        "private \(symbol.path.count > 1 ? "static " : "")func witness\(parsed.generics)"
                            + "(_ value: \(parsed.name)\(parsed.genericArguments))\(clause) {}"
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

    /// Returns programs with types that conform to a protocol.
    func conformances(to symbol: APISymbol) -> [Witness] {
        let requirements = old.requirements(of: symbol.name)
        return ["struct", "final class"].map { kind in
            var lines = ["private \(kind) Witness: \(symbol.name) {"]
            // A class with a variable is neither `Sendable` nor `Hashable` without more code.
            if kind != "struct" { lines.append("    private var witness = 0") }
            lines += requirements.compactMap { implementation(of: $0, inClass: kind != "struct") }.map { "    " + $0 }
            lines.append("}")
            let foreign = requirements.flatMap { modules(of: $0) }
            return Witness(lines, importing: modules(of: symbol, foreign))
        }
    }

    private func implementation(of requirement: APISymbol, inClass: Bool) -> String? {
        let parsed = Declaration(requirement.declaration)
        let text = requirement.declaration.replacing("Self.", with: "")
        switch parsed.keyword {
        case "associatedtype":
            guard !text.contains(" = ") else { return nil }
            let isSequence = ["Sequence", "Collection"].contains { text.contains($0) }
            return "typealias \(parsed.name) = \(isSequence ? "[Int]" : "Int")"
        case "var", "subscript":
            let setter = parsed.accessors?.contains("set") == true ? " set {}" : ""
            return "\(Self.text(text, before: " {")) { get { fatalError() }\(setter) }"
        case "init": return "\(text) { fatalError() }"
        default:
            return (inClass ? text.replacing("mutating ", with: "") : text) + " { fatalError() }"
        }
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

    // MARK: Text

    private static func text(_ text: String, before mark: String) -> Substring {
        text.range(of: mark).map { text[..<$0.lowerBound] } ?? text[...]
    }

    private static let reserved: Set = [
        "in", "is", "as", "for", "if", "else", "do", "try", "self", "Self", "default", "case", "switch", "where",
        "while", "return", "repeat", "class", "struct", "enum", "protocol", "extension", "import", "func", "var", "let",
        "true", "false", "nil", "super", "init", "inout", "operator", "internal", "public", "private", "static",
        "throw", "throws", "guard", "defer", "break", "continue", "catch", "any", "some", "subscript", "typealias",
    ]

    /// Returns a name that does not hide the declaration.
    private static func name(of parameter: Declaration.Parameter, at index: Int, besides other: String) -> String {
        guard let name = parameter.name, name != "self", name != other else { return "p\(index)" }
        return reserved.contains(name) ? "`\(name)`" : name
    }

    /// Returns the name of a declaration. Members need no backticks after a period.
    private static func escaped(_ name: String, _ symbol: APISymbol) -> String {
        reserved.contains(name) && (symbol.path.count == 1 || name == "init" || name == "self") ? "`\(name)`" : name
    }
}

extension Declaration {
    fileprivate var isStatic: Bool { modifiers.contains("static") || modifiers.contains("class") }

    /// The global actors. Other attributes start with a lowercase letter and do not affect a call.
    fileprivate var isolation: [String] { attributes.filter { $0.dropFirst().first?.isUppercase ?? false } }

    /// The result, or `nil` if there is none.
    fileprivate var result: String? { type == "()" || type == "Void" ? nil : type }

    /// The words before an expression with these effects.
    fileprivate var marks: String {
        (effectWords.contains { $0.contains("throws") } ? "try " : "") + (effectWords.contains("async") ? "await " : "")
    }

    private var effectWords: [Substring] {
        (effects + " " + (keyword == "subscript" ? accessors ?? "" : "")).split(separator: " ")
    }

    /// The effects of a function that uses the declaration.
    fileprivate var callEffects: String {
        guard keyword == "subscript" else { return effects }
        return effectWords.filter { $0 == "async" || $0.hasPrefix("throws") }.joined(separator: " ")
    }

    fileprivate var genericArguments: String {
        guard !generics.isEmpty else { return "" }
        let names = generics.dropFirst().dropLast().split(separator: ",").map { part in
            part.split(separator: " ").first { $0 != "each" && $0 != "let" }.map { $0.split(separator: ":")[0] } ?? ""
        }
        return "<\(names.joined(separator: ", "))>"
    }

    /// Returns the words before `func` of a private function in place of this declaration.
    fileprivate func head(isStatic: Bool, isNonisolated: Bool) -> String {
        let kept = modifiers.filter { $0 == "mutating" || $0 == "consuming" || $0 == "nonisolated" }
        let words = isolation + (isNonisolated && !kept.contains("nonisolated") ? ["nonisolated"] : []) + ["private"]
        return (words + (isStatic ? ["static"] : []) + kept).joined(separator: " ") + " "
    }
}
