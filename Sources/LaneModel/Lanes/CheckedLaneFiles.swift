package import Diagnostics

/// All lanes of a package, checked together.
package struct CheckedLaneFiles: Sendable {
    /// In the order of their names.
    package let lanes: [Lane]
    /// Everything that is wrong with the files.
    package let diagnostics: Diagnostics
    private let indices: [String: Int]

    init(lanes: [Lane], diagnostics: Diagnostics, indices: [String: Int]) {
        self.lanes = lanes
        self.diagnostics = diagnostics
        self.indices = indices
    }

    /// Names of the environment variables that lanes declare as secrets.
    package var secrets: Set<String> { lanes.reduce(into: []) { $0.formUnion($1.secrets) } }

    /// The lane of that name, private ones included.
    package subscript(name: String) -> Lane? { indices[name].map { lanes[$0] } }

    func index(of name: String) -> Int? { indices[name] }

    /// The diagnostics among `diagnostics` that keep a lane from being planned: those in its file, in the files of the
    /// lanes that it starts, and in what these include.
    package func diagnostics(_ diagnostics: Diagnostics, concerning name: String) -> Diagnostics {
        guard diagnostics.hasErrors else { return diagnostics }
        let files = files(behind: name)
        var own = Diagnostics()
        for diagnostic in diagnostics.all
        where diagnostic.span.map({ files.contains(LaneFiles.name(of: $0.file.path)) }) ?? true {
            own.add(diagnostic)
        }
        return own
    }

    /// A Boolean value that indicates whether a lane, or one that it starts, has a step of which only the action's name is
    /// known.
    package func hasUndescribedAction(_ name: String) -> Bool {
        reachable(from: name).contains { lanes[$0].hasUndescribedAction }
    }

    /// The names of the files that decide what a lane does.
    private func files(behind name: String) -> Set<String> {
        reachable(from: name).reduce(into: [name]) { names, index in
            names.insert(lanes[index].name)
            names.formUnion(lanes[index].files)
        }
    }

    /// A lane and all those that it needs or runs.
    private func reachable(from name: String) -> Set<Int> {
        var found: Set<Int> = []
        var open = indices[name].map { [$0] } ?? []
        while let index = open.popLast() {
            guard found.insert(index).inserted else { continue }
            open += lanes[index].calls.compactMap { indices[$0.lane] }
        }
        return found
    }
}
