extension OutlineReader {
    /// Returns the kind of the declaration with a keyword.
    func kind(
        _ range: Range<Int>, _ keyword: Int, isComputed: Bool, container: String?
    ) -> SwiftDeclaration.Kind {
        let isMember = container != nil
        let modifiers = tokens[range.lowerBound..<keyword].compactMap(\.word)
        let isStatic = modifiers.contains("static") || modifiers.contains("class")
        let name = keyword + 1 < range.upperBound ? tokens[keyword + 1].word : nil
        switch tokens[keyword].word {
        case "extension":
            guard let end = typePath(after: keyword).last else { return .other }
            let head = tokens[end..<range.upperBound].prefix { $0.word != "where" }
            return .extension(hasConformance: head.contains { $0.is(":") })
        case "struct", "class", "enum", "actor", "protocol":
            return name.map { $0.hasSuffix("LiteralType") } == false ? .type : .other
        case "typealias":
            return isMember ? .part : name.map { $0.hasSuffix("LiteralType") } == false ? .type : .other
        case "func":
            guard let name else {
                return hasOperand(ofType: container, range, keyword) ? .operatorFunction : .other
            }
            if modifiers.contains("@Test") || (name.hasPrefix("test") && !isStatic && isMember) { return .test }
            return modifiers.contains("override") ? .part : .function
        case "import": return .import
        case "init", "deinit", "subscript", "case": return .part
        case "let", "var":
            return isMember && !isStatic && !isComputed || modifiers.contains("override") ? .part : .function
        default: return .other
        }
    }

    /// Returns a Boolean value that indicates whether a parameter of an operator function has the type around it.
    private func hasOperand(ofType container: String?, _ range: Range<Int>, _ keyword: Int) -> Bool {
        guard let container, let open = tokens[keyword..<range.upperBound].firstIndex(where: { $0.is("(") }),
            let close = matches[open]
        else { return false }
        return (open..<close).contains { index in
            guard tokens[index].is(":") else { return false }
            let name = typePath(after: tokens[index + 1].word == "inout" ? index + 1 : index)
            guard let last = name.last, [container, "Self"].contains(tokens[last].word) else { return false }
            return tokens[last + 1].is(",") || tokens[last + 1].is(")") || tokens[last + 1] == .lineBreak
        }
    }

    /// Returns the names that a declaration declares.
    func names(_ range: Range<Int>, _ keyword: Int) -> Set<String> {
        let isList = ["let", "var", "case"].contains(tokens[keyword].word)
        if ["init", "deinit", "subscript"].contains(tokens[keyword].word) { return [] }
        if !isList { return words(in: [typePath(after: keyword).last.map { $0..<$0 + 1 } ?? keyword..<keyword]) }
        var names: Set<String> = []
        var index = keyword
        while index < range.upperBound {
            if index == keyword || tokens[index].is(","), index + 1 < range.upperBound {
                let next = index + 1
                names.formUnion(words(in: [next..<(matches[next].map { max($0, next) } ?? next) + 1]))
            }
            index = matches[index].map { max($0, index) + 1 } ?? index + 1
        }
        return names
    }
}
