package import Text

/// The lane files and actions of another repository. In the package, their names start with the name of the import and
/// a slash.
package struct LaneImport: Sendable {
    /// The name of the import, such as `shared` for the lane `shared/deploy`.
    let name: String
    /// The lane files, which refer to each other and to the actions without the name of the import.
    let files: [SourceFile]
    /// The descriptions of the executables, with their full names, such as `shared/notify`.
    package let actions: [ActionSchema]
    /// The full names of executables without a description, which the caller reports.
    let undescribed: Set<String>
    /// A Boolean value that indicates whether the files could be read. If not, references to them are not reported,
    /// because the caller reports the read error.
    let isAvailable: Bool

    package init(
        name: String, files: [SourceFile] = [], actions: [ActionSchema] = [], undescribed: Set<String> = [],
        isAvailable: Bool = true
    ) {
        self.name = name
        self.files = files
        self.actions = actions
        self.undescribed = undescribed
        self.isAvailable = isAvailable
    }

    /// Returns a Boolean value that indicates whether a full name starts with the name of an import.
    static func isIn(_ imports: Set<String>, _ name: String) -> Bool {
        guard !imports.isEmpty, let slash = name.utf8.firstIndex(of: UInt8(ascii: "/")) else { return false }
        return imports.contains(String(name[..<slash]))
    }
}

/// The actions that the steps of a lane can use: the built-in ones, and custom actions by their names in the lane.
struct AvailableActions {
    private let builtIn: [ActionSchema]
    private var custom: [String: ActionSchema] = [:]
    private var undescribed: Set<String> = []
    private var unavailable: Set<String> = []

    /// Creates the actions for lanes of a package: the package's actions, and the actions of imports by their full
    /// names.
    init(
        _ builtIn: [ActionSchema], _ own: [ActionSchema], _ undescribed: Set<String>, _ imports: [LaneImport]
    ) {
        self.builtIn = builtIn
        for schema in own + imports.flatMap(\.actions) where custom[schema.name] == nil {
            custom[schema.name] = schema
        }
        self.undescribed = imports.reduce(into: undescribed) { $0.formUnion($1.undescribed) }
        unavailable = Set(imports.filter { !$0.isAvailable }.map(\.name))
    }

    /// Creates the actions for lanes of an import: the import's actions by their short names.
    init(_ builtIn: [ActionSchema], _ own: LaneImport) {
        self.builtIn = builtIn
        let prefix = own.name.utf8.count + 1
        func shortName(_ name: String) -> String { String(Substring(name.utf8.dropFirst(prefix))) }
        for schema in own.actions { custom[shortName(schema.name)] = schema }
        undescribed = Set(own.undescribed.map(shortName))
    }

    /// Returns the action with a name.
    subscript(name: String) -> (kind: ActionKind, schema: ActionSchema)? {
        if let schema = builtIn.first(where: { $0.name == name }) {
            return (.builtIn(BuiltInAction(name: name)), schema)
        }
        return custom[name].map { (.custom($0.name), $0) }
    }

    /// The names of all actions, as messages list them.
    var names: [String] { builtIn.map(\.name) + ["lane"] + custom.keys.sorted() }

    /// Returns a Boolean value that indicates whether an action has no description. The missing description is already
    /// reported.
    func lacksDescription(_ name: String) -> Bool {
        undescribed.contains(name) || LaneImport.isIn(unavailable, name)
    }
}
