/// A graph of a plan or of all lanes in DOT for Graphviz, or in Mermaid for Markdown.
package struct PlanGraph: Sendable {
    private struct Node: Sendable {
        let label: String
        /// The index of the box that contains the node.
        let box: Int?
        let isDashed: Bool
    }

    private var nodes: [Node] = []
    private var boxes: [String] = []
    private var edges: [(from: Int, to: Int)] = []

    /// Creates a graph of a plan's steps with a box for each lane. Conditional steps have dashed borders.
    package init(_ plan: Plan) {
        boxes = plan.groups.map(\.path)
        // The parent of a group has a lower index.
        var isConditional: [Bool] = []
        for group in plan.groups {
            let isInside = group.parent.map { $0 < isConditional.count && isConditional[$0] } ?? false
            isConditional.append(isInside || group.isConditional)
        }
        for (index, step) in plan.steps.enumerated() {
            let isDashed =
                step.schedule.condition != nil || plan.stage(of: step) == .onFailure || isConditional[step.group]
            nodes.append(Node(label: step.name, box: step.group, isDashed: isDashed))
            edges += step.schedule.dependencies.map { ($0, index) }
        }
    }

    /// Creates a graph of all lanes and the lanes that they run or need. Private lanes have dashed borders.
    package init(_ files: CheckedLaneFiles) {
        for (index, lane) in files.lanes.enumerated() {
            nodes.append(Node(label: lane.name, box: nil, isDashed: lane.isPrivate))
            var seen: Set<Int> = []
            for call in lane.calls {
                if let other = files.index(of: call.lane), seen.insert(other).inserted { edges.append((other, index)) }
            }
        }
    }

    /// The graph in DOT, the language of Graphviz.
    package var dot: String {
        var text = "digraph lane {\n  rankdir=LR\n  node [shape=box, style=rounded]\n"
        for (box, members) in members() {
            if let box {
                text += "  subgraph cluster_\(box) {\n    label=\(Self.dotQuoted(boxes[box]))\n"
            }
            let indent = box == nil ? "  " : "    "
            for index in members {
                let style = nodes[index].isDashed ? ", style=\"rounded,dashed\"" : ""
                text += "\(indent)n\(index) [label=\(Self.dotQuoted(nodes[index].label))\(style)]\n"
            }
            if box != nil { text += "  }\n" }
        }
        for edge in edges { text += "  n\(edge.from) -> n\(edge.to)\n" }
        return text + "}\n"
    }

    /// The graph in Mermaid, which GitHub renders in Markdown.
    package var mermaid: String {
        var text = "flowchart LR\n"
        for (box, members) in members() {
            if let box { text += "  subgraph g\(box)[\(Self.mermaidQuoted(boxes[box]))]\n" }
            let indent = box == nil ? "  " : "    "
            for index in members { text += "\(indent)n\(index)(\(Self.mermaidQuoted(nodes[index].label)))\n" }
            if box != nil { text += "  end\n" }
        }
        for edge in edges { text += "  n\(edge.from) --> n\(edge.to)\n" }
        let dashed = nodes.indices.filter { nodes[$0].isDashed }.map { "n\($0)" }
        if !dashed.isEmpty {
            text += "  classDef dashed stroke-dasharray: 4\n  class \(dashed.joined(separator: ",")) dashed\n"
        }
        return text
    }

    /// Returns the nodes of each box in the order of the boxes, followed by the nodes outside all boxes.
    private func members() -> [(box: Int?, nodes: [Int])] {
        var byBox = [[Int]](repeating: [], count: boxes.count)
        var free: [Int] = []
        for (index, node) in nodes.enumerated() {
            if let box = node.box { byBox[box].append(index) } else { free.append(index) }
        }
        let boxed = byBox.enumerated().filter { !$0.element.isEmpty }.map {
            (box: Int?.some($0.offset), nodes: $0.element)
        }
        return free.isEmpty ? boxed : boxed + [(nil, free)]
    }

    private static func dotQuoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            // Graphviz expands entities in labels.
            case "&": "&amp;"
            default: scalar.properties.generalCategory == .control ? " " : String(scalar)
            }
        }
        return "\"\(escaped.joined())\""
    }

    /// Returns a quoted label. Mermaid uses numbered entities for escapes.
    private static func mermaidQuoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "#", "<", ">", "&", ";", "`": "#\(scalar.value);"
            default: scalar.properties.generalCategory == .control ? " " : String(scalar)
            }
        }
        return "\"" + escaped.joined() + "\""
    }
}
