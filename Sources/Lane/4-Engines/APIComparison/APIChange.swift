package import Events

/// A change of the public API that may break clients, with programs that may prove it.
package struct APIChange: Sendable, Equatable {
    /// The kinds in the order of the report.
    package enum Kind: String, Sendable, CaseIterable {
        case removed, changed, requirement
        case enumCase = "enum-case"
        case conformance, availability, manifest

        /// The text after the name of a declaration.
        fileprivate var text: String {
            switch self {
            case .removed: "was removed"
            case .changed: "was changed"
            case .requirement: "is a new requirement without default"
            case .enumCase: "is a new case"
            case .conformance: "was lost"
            case .availability: "is less available"
            case .manifest: ""
            }
        }
    }

    /// The text after the name of the declaration.
    package var text: String { kind == .requirement && old != nil ? "lost its default implementation" : kind.text }

    package let kind: Kind
    /// The declaration as in `allow`, such as `Box.label(of:)`, `Box: Sendable` or `product 'Shapes'`.
    package let name: String
    let old: String?
    package let new: String?
    /// The location in the new version.
    package let location: SourceLocation?
    /// The location in the old version, for a declaration that the new version lacks.
    package let oldLocation: SourceLocation?
    /// The programs that may prove the break. A change of the manifest needs none.
    package let witnesses: [Witness]

    init(
        _ kind: Kind, _ name: String, old: APISymbol? = nil, new: APISymbol? = nil, witnesses: [Witness] = []
    ) {
        self.kind = kind
        self.name = name
        self.old = old?.declaration
        self.new = new?.declaration
        location = new?.location
        oldLocation = new == nil ? old?.location : nil
        self.witnesses = witnesses
    }

    /// Creates a change of the manifest.
    init(_ name: String, old: String?, new: String?) {
        kind = .manifest
        self.name = name
        self.old = old
        self.new = new
        location = nil
        oldLocation = nil
        witnesses = []
    }
}
