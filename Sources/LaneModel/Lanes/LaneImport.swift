package import Diagnostics

/// The lane files and actions of another repository. Their names in the package start with that of the import and a slash.
package struct LaneImport: Sendable {
    /// The name of the import: `shared` for lanes such as `shared/deploy`.
    package let name: String
    /// The lane files. They refer to each other, and to the actions, without the name of the import.
    package let files: [SourceFile]
    /// The descriptions of the executables, with their full names, such as `shared/notify`.
    package let actions: [ActionSchema]
    /// The full names of executables without a description, which the caller reports.
    package let undescribed: Set<String>
    /// A Boolean value that indicates whether the files could be read. If not, references to them are not reported,
    /// because the caller reports the cause.
    package let isAvailable: Bool

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

    /// Returns a Boolean value that indicates whether a full name belongs to one of some imports.
    static func isIn(_ imports: Set<String>, _ name: String) -> Bool {
        guard !imports.isEmpty, let slash = name.utf8.firstIndex(of: UInt8(ascii: "/")) else { return false }
        return imports.contains(String(name[..<slash]))
    }
}

/// The custom actions that the steps of a lane can use, by the names that the lane has for them.
struct AvailableActions {
    private var schemas: [String: ActionSchema] = [:]
    private var undescribed: Set<String> = []
    private var unavailable: Set<String> = []

    /// Creates the actions for lanes of a package: its own, and those of all imports by their full names.
    init(_ own: [ActionSchema], _ undescribed: Set<String>, _ imports: [LaneImport]) {
        for schema in own + imports.flatMap(\.actions) where schemas[schema.name] == nil {
            schemas[schema.name] = schema
        }
        self.undescribed = imports.reduce(into: undescribed) { $0.formUnion($1.undescribed) }
        unavailable = Set(imports.filter { !$0.isAvailable }.map(\.name))
    }

    /// Creates the actions for lanes of an import: its own, without the name of the import.
    init(_ own: LaneImport) {
        let prefix = own.name.utf8.count + 1
        func shortName(_ name: String) -> String { String(Substring(name.utf8.dropFirst(prefix))) }
        for schema in own.actions { schemas[shortName(schema.name)] = schema }
        undescribed = Set(own.undescribed.map(shortName))
    }

    /// Returns the action with a name.
    subscript(name: String) -> ActionSchema? { schemas[name] }

    /// The names of all actions, sorted.
    var names: [String] { schemas.keys.sorted() }

    /// Returns a Boolean value that indicates whether a name is that of an action without a description. The missing
    /// description has been reported.
    func lacksDescription(_ name: String) -> Bool {
        undescribed.contains(name) || LaneImport.isIn(unavailable, name)
    }
}
