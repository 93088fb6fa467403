import Expressions
package import Text

/// All lanes of a package, checked together.
package struct CheckedLaneFiles: Sendable {
    /// The lanes in the order of their names.
    package let lanes: [Lane]
    /// All errors and warnings in the files.
    package let diagnostics: Diagnostics
    let indices: [String: Int]
    let aliases: [String: Int]
    /// The names of the lanes and included files of imports, by file path.
    let importedNames: [String: String]

    /// Returns the names of the environment variables that lanes declare as secrets. The secrets of built-in lanes count
    /// only if one of them runs, because steps of the package's lanes may use the same variables undeclared.
    package func secrets(running names: [String]) -> Set<String> {
        let includesBuiltIn = names.contains { self[$0]?.isBuiltIn ?? false }
        return lanes.reduce(into: []) { secrets, lane in
            if includesBuiltIn || !lane.isBuiltIn { secrets.formUnion(lane.secrets) }
        }
    }

    /// Returns the lane with a name, which may be private.
    package subscript(name: String) -> Lane? { indices[name].map { lanes[$0] } }

    /// Returns the name of the lane with an alias, or the word itself if it is not an alias.
    package func name(of word: String) -> String { aliases[word].map { lanes[$0].name } ?? word }

    /// Returns a Boolean value that indicates whether a lane, or a lane that it runs or needs, reads `arguments`.
    package func usesArguments(_ name: String) -> Bool {
        reachable(from: name).contains { lanes[$0].readsArguments }
    }

    /// The lane that `lane` without a name runs.
    package var defaultLane: Lane? { lanes.first(where: \.isDefault) }

    /// Returns the questions of lanes, and of the lanes that they run or need.
    package func questions(running names: [String]) -> [String] {
        names.flatMap(reachable).compactMap { lanes[$0].question }.uniqued()
    }

    /// The index of the lane whose steps run before all lanes and whose hooks run after them, if there is one.
    var package: Int? { indices[LaneKeys.package] }

    /// Returns the index in `lanes` of the lane with a name.
    func index(of name: String) -> Int? { indices[name] }

    /// Returns the diagnostics that concern a lane: those in its file, in the lanes that it runs or needs, and in files
    /// that these include.
    package func diagnostics(_ diagnostics: Diagnostics, concerning name: String) -> Diagnostics {
        guard diagnostics.hasErrors else { return diagnostics }
        let files = files(behind: name)
        var own = Diagnostics()
        for diagnostic in diagnostics.all
        where diagnostic.span.map({ files.contains(fileName(of: $0.file.path)) }) ?? true {
            own.add(diagnostic)
        }
        return own
    }

    /// Returns a Boolean value that indicates whether a lane, or a lane that it runs or needs, uses an action without a
    /// description.
    package func hasUndescribedAction(_ name: String) -> Bool {
        reachable(from: name).contains { lanes[$0].hasUndescribedAction }
    }

    private func fileName(of path: String) -> String { importedNames[path] ?? LaneFiles.name(of: path) }

    /// Returns the names of the files that a lane depends on.
    private func files(behind name: String) -> Set<String> {
        reachable(from: name).reduce(into: [name]) { names, index in
            names.insert(lanes[index].name)
            names.formUnion(lanes[index].files)
        }
    }

    /// Returns the indices of a lane, of all lanes that it runs or needs, and of those that run around all lanes.
    private func reachable(from name: String) -> [Int] {
        var found: [Int] = []
        var isFound = [Bool](repeating: false, count: lanes.count)
        var open = [indices[name], package].compactMap(\.self)
        while let index = open.popLast() {
            guard !isFound[index] else { continue }
            isFound[index] = true
            found.append(index)
            open += lanes[index].calls.compactMap { indices[$0.lane] }
        }
        return found
    }
}

extension Lane {
    /// A Boolean value that indicates whether an expression of the lane itself reads `arguments`.
    package var readsArguments: Bool {
        (expressions + values.flatMap(\.expressions)).contexts.contains(.arguments)
    }
}
