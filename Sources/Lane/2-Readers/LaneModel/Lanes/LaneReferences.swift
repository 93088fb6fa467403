import Expressions
import Text

/// A check of references between lanes: names, parameters, cycles, transactions.
struct LaneReferences {
    let lanes: [Lane]
    let indices: [String: Int]
    /// The names of imports without files, which the caller reports.
    let unavailable: Set<String>
    /// The names of lanes that can be among `lanes`, but no lane uses them.
    let omitted: Set<String>
    private(set) var diagnostics = Diagnostics()
    /// For each lane, the lanes that it runs or needs.
    private(set) var edges: [[(to: Int, span: Span?)]] = []

    mutating func check() {
        for index in lanes.indices {
            var targets: [(to: Int, span: Span?)] = []
            var seen: Set<Int> = []
            for call in lanes[index].calls {
                if let index = check(call), seen.insert(index).inserted { targets.append((index, call.span)) }
            }
            edges.append(targets)
        }
        if edges.contains(where: { !$0.isEmpty }) { findCycles() }
    }

    private func hint(for name: String) -> String? {
        if name.contains(",") { return "write a list: [\(name)]" }
        if name.contains(" ") { return "write only the name of the lane, and its values in 'parameters'" }
        // The files of an import's lanes are in another repository.
        if name.contains("/") { return nil }
        return LaneFiles.isLaneFile(name)
            ? "write only its name: \(LaneFiles.name(of: name))" : "create 'Lanes/\(name).yml'"
    }

    private mutating func check(_ call: LaneCall) -> Int? {
        guard let index = indices[call.lane] else {
            if LaneImport.isIn(unavailable, call.lane) { return nil }
            let near = suggestion(for: call.lane, among: Set(lanes.map(\.name)).union(omitted).sorted())
            diagnostics.error("there is no lane '\(call.lane)'", at: call.span, hint: near ?? hint(for: call.lane))
            return nil
        }
        let lane = lanes[index]
        guard lane.isReadable else { return nil }
        if lane.isTransaction {
            diagnostics.error(
                "'\(lane.name)' is a transaction and cannot be part of another lane", at: call.span,
                hint: "move the shared steps to a separate lane")
        }
        for argument in call.arguments { check(argument, of: lane) }
        for parameter in lane.parameters where parameter.mustBeGiven {
            if !call.arguments.contains(where: { $0.name == parameter.name }) {
                diagnostics.error(
                    "lane '\(lane.name)' needs a value for '\(parameter.name)'", at: call.span,
                    hint: "add 'parameters: { \(parameter.name): … }'")
            }
        }
        return index
    }

    private mutating func check(_ argument: LaneArgument, of lane: Lane) {
        guard let parameter = lane.parameter(argument.name) else {
            let near = suggestion(for: argument.name, among: lane.parameters.map(\.name))
            diagnostics.error(
                "lane '\(lane.name)' has no parameter '\(argument.name)'", at: argument.nameSpan, hint: near)
            return
        }
        guard let value = argument.node.constant else { return }
        do {
            _ = try parameter.valueType.coerce(value)
        } catch {
            diagnostics.error(
                "expected \(parameter.valueType.kind) for '\(parameter.name)', found \(value.kind)",
                at: argument.valueSpan, hint: error.hint)
        }
    }

    /// Reports each cycle of lanes once. Uses a depth-first search without recursion.
    private mutating func findCycles() {
        enum Mark { case unseen, open, done }
        var marks = [Mark](repeating: .unseen, count: lanes.count)
        for start in lanes.indices where marks[start] == .unseen {
            var path: [(lane: Int, next: Int)] = [(start, 0)]
            marks[start] = .open
            while let (lane, next) = path.last {
                guard next < edges[lane].count else {
                    marks[lane] = .done
                    path.removeLast()
                    continue
                }
                path[path.count - 1].next += 1
                let edge = edges[lane][next]
                switch marks[edge.to] {
                case .done: continue
                case .open: report(path.map(\.lane), closingAt: edge.to, span: edge.span)
                case .unseen:
                    marks[edge.to] = .open
                    path.append((edge.to, 0))
                }
            }
        }
    }

    private mutating func report(_ path: [Int], closingAt first: Int, span: Span?) {
        guard path.last != first else {
            diagnostics.error("lane '\(lanes[first].name)' needs itself", at: span)
            return
        }
        let start = path.firstIndex(of: first) ?? 0
        var names = path[start...].map { lanes[$0].name } + [lanes[first].name]
        if names.count > 12 { names = names[..<6] + ["…"] + names[(names.count - 5)...] }
        diagnostics.error("lanes need each other in a cycle: \(names.joined(separator: " → "))", at: span)
    }
}

extension Lane {
    /// All references to other lanes, `needs` first.
    package var calls: [LaneCall] {
        var calls = needs
        forEachStep { if case .lane(let call) = $0.content { calls.append(call) } }
        return calls
    }
}
