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
        case "associatedtype": return associatedTypes(symbol, parsed, new: new)
        // A protocol that changed needs a type that conforms to it: others rarely break.
        case "protocol" where new?.kind == "protocol":
            return primaryTypes(symbol, parsed) + (new.map { lostConstraints(of: symbol, symbol, new: $0) } ?? [])
                + conformances(to: symbol)
        case "struct", "class", "actor", "enum", "protocol": return types(symbol, parsed)
        default: return []
        }
    }

    /// Returns the program that contains lines in the context of a symbol.
    func program(_ lines: [String], for symbol: APISymbol, isReference: Bool = false) -> Witness {
        let context = symbol.path.count > 1 ? (symbol.parentName, symbol.constraints) : nil
        return Witness(lines, in: context, importing: modules(of: symbol), isReference: isReference)
    }

    func modules(of symbol: APISymbol, _ more: [String?] = []) -> [String] {
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
        // The type of an initializer is only its question mark.
        if let type = parsed.type, type.hasSuffix("?") || parsed.keyword == "init" {
            witnesses.append(call(symbol, parsed, parameters, isNonisolated: isNonisolated, unwraps: true))
        }
        if parsed.keyword == "subscript", parsed.accessors?.contains("set") == true {
            witnesses.append(assignment(symbol, parsed))
        }
        if symbol.isOpen, parsed.keyword != "init", parsed.generics.isEmpty {
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
        let labeled = Self.arguments(parameters, values)
        let isStatic = parsed.isStatic || parsed.keyword == "init"
        var use: String
        switch parsed.keyword {
        case "init":
            let type = old.type(symbol.parentName)?.kind == "protocol" ? "Self" : symbol.parentName
            use = "\(parsed.marks)\(type)(\(labeled))"
            if !unwraps { use = "let _: \(type)\(parsed.type == nil ? "" : "?") = \(use)" }
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
        return program(["\(head)\(parsed.clause) { \(use) }"], for: symbol)
    }

    /// Returns the arguments of a call.
    static func arguments(_ parameters: [Declaration.Parameter], _ values: [String]) -> String {
        zip(parameters, values).map { parameter, value in
            parameter.label.map { "\($0): \(value)" } ?? value
        }.joined(separator: ", ")
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
        let result = parsed.result.map { " -> \($0)" } ?? ""
        let effects = parsed.effects.isEmpty ? "" : " \(parsed.effects)"
        let list = labeledParameters(of: parsed)
        let declaration =
            switch parsed.keyword {
            case "func": "func \(parsed.name)(\(list))\(effects)\(result) { fatalError() }"
            case "subscript": "subscript(\(list))\(result) { \(accessors(of: parsed)) }"
            default: "var \(parsed.name): \(parsed.type ?? "") { \(accessors(of: parsed)) }"
            }
        let word = parsed.isStatic ? "override class" : "override"
        return Witness(
            ["private class Witness: \(symbol.parentName) {", "    \(word) \(declaration)", "}"],
            importing: modules(of: symbol))
    }

    /// Returns the parameters as in the declaration of a function.
    private func labeledParameters(of parsed: Declaration) -> String {
        let parameters = parsed.parameters ?? []
        return parameters.indices.map { index in
            let (parameter, name) = (parameters[index], Self.name(of: parameters[index], at: index, besides: ""))
            let label = parameter.label.map { $0 == name && parsed.keyword != "subscript" ? "" : "\($0) " } ?? "_ "
            return "\(label)\(name): \(parameter.type)"
        }.joined(separator: ", ")
    }

    /// Returns accessors that implement a property or subscript.
    func accessors(of parsed: Declaration) -> String {
        let words = parsed.accessorWords
        let getter = words.filter { $0 != "set" && $0 != "nonmutating" }.joined(separator: " ")
        return "\(getter) { fatalError() }" + (words.contains("set") ? " set {}" : "")
    }

    /// Returns a program that sets a value of a subscript.
    private func assignment(_ symbol: APISymbol, _ parsed: Declaration) -> Witness {
        let parameters = parsed.parameters ?? []
        let names = parameters.indices.map { Self.name(of: parameters[$0], at: $0, besides: "") }
        let list = zip(parameters, names).map { "_ \($1): \($0.type), " }.joined()
        let head = parsed.head(isStatic: parsed.isStatic, isNonisolated: false) + mutation(symbol, parsed)
        let receiver = parsed.isStatic ? "Self" : "self"
        return program(
            [
                "\(head)func witness\(parsed.generics)(\(list)_ p: \(parsed.type ?? ""))\(parsed.clause)"
                    + " { \(receiver)[\(Self.arguments(parameters, names))] = p }"
            ], for: symbol)
    }

    /// Returns `mutating` for a function that sets a value of a structure or enumeration.
    private func mutation(_ symbol: APISymbol, _ parsed: Declaration) -> String {
        let parent = old.type(symbol.parentName)
        let isClass = parent?.kind == "class" || parent?.declaration.contains("AnyObject") ?? false
        let isMember = symbol.path.count > 1 && !parsed.isStatic
        return isMember && !isClass && !parsed.accessorWords.contains("nonmutating") ? "mutating " : ""
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
        let words = parsed.accessorWords
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
            lines.append(
                "\(head)\(mutation(symbol, parsed))func witness(_ value: \(type)) { \(value) = value }")
        }
        let programs = lines.map { program([$0], for: symbol) }
        return symbol.isOpen ? programs + [override(symbol, parsed)] : programs
    }

    // MARK: Text

    static func text(_ text: String, before mark: String) -> Substring {
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

/// A small program that uses a declaration. It is the proof of a break if it compiles with the old version and not with
/// the new one.
package struct Witness: Sendable, Equatable {
    /// The lines of the program.
    package let text: String
    /// The modules that it imports.
    package let modules: [String]
    /// A Boolean value that indicates whether the program only refers to a function without a call. A new parameter with
    /// a default value breaks such code, which is rare.
    package let isReference: Bool

    /// - Parameters:
    ///   - lines: The declarations of the program.
    ///   - context: The type to extend, and the constraints of the extension.
    init(
        _ lines: [String], in context: (type: String, constraints: [String])? = nil, importing modules: [String],
        isReference: Bool = false
    ) {
        var all = modules.map { "import \($0)" }
        if let context {
            let clause = context.constraints.isEmpty ? "" : " where " + context.constraints.joined(separator: ", ")
            all.append("extension \(context.type)\(clause) {")
            all += lines.flatMap(\.lines).map { "    " + $0 }
            all.append("}")
        } else {
            all += lines
        }
        text = all.joined(separator: "\n") + "\n"
        self.modules = modules
        self.isReference = isReference
    }
}
