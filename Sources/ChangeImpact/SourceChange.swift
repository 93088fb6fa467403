/// The difference between two versions of a Swift source.
struct SourceChange {
    /// The lines of the bodies in the old version that differ, or were removed.
    let bodies: [ClosedRange<Int>]
    /// The declarations that only one of the versions contains.
    let declarations: [(declaration: SwiftDeclaration, isNew: Bool)]

    /// The difference if nothing is the same in both versions but the imports.
    init(replacing old: SwiftOutline, by new: SwiftOutline) {
        bodies = old.declarations.flatMap { $0.bodies.map(\.lines) }
        declarations =
            (old.declarations.map { ($0, false) } + new.declarations.map { ($0, true) })
            .filter { $0.0.kind != .import }
    }

    /// The changed imports.
    var imports: [SwiftDeclaration] { declarations.map(\.declaration).filter { $0.kind == .import } }

    /// Compares two versions, of which one is `nil` if the file is new or removed.
    init(from old: SwiftOutline?, to new: SwiftOutline?) {
        var others = Dictionary(grouping: new?.declarations ?? [], by: \.key).mapValues { $0[...] }
        var bodies: [ClosedRange<Int>] = []
        var declarations: [(declaration: SwiftDeclaration, isNew: Bool)] = []
        for declaration in old?.declarations ?? [] {
            let other = others[declaration.key]?.popFirst()
            if other == nil { declarations.append((declaration, false)) }
            for (index, body) in declaration.bodies.enumerated()
            where other.map({ index < $0.bodies.count && $0.bodies[index].text == body.text }) != true {
                bodies.append(body.lines)
            }
        }
        declarations += others.values.joined().map { ($0, true) }
        self.bodies = bodies
        self.declarations = declarations
    }
}
