/// The translation of another tool's file to lanes.
package struct Translation: Sendable {
    package internal(set) var lanes: [TranslatedLane] = []
    /// The parts outside all lanes that have no equivalent.
    package internal(set) var gaps: [TranslatedLane.Gap] = []

    /// The parts outside all lanes by reason, in the order of the file.
    package var gapsByReason: [(reason: String, gaps: [TranslatedLane.Gap])] {
        var result: [(reason: String, gaps: [TranslatedLane.Gap])] = []
        for gap in gaps {
            if let index = result.firstIndex(where: { $0.reason == gap.reason }) {
                result[index].gaps.append(gap)
            } else {
                result.append((gap.reason, [gap]))
            }
        }
        return result
    }

    /// Replaces invalid names of lanes, including references in `needs` and `lane` steps. Of several lanes with the
    /// same name, keeps the last.
    mutating func rename(avoiding reserved: Set<String>) {
        var later: Set<String> = []
        for index in lanes.indices.reversed() where !later.insert(lanes[index].name).inserted {
            let lane = lanes.remove(at: index)
            gaps.append(.init(line: lane.line, text: lane.name, reason: "a later one with the same name"))
        }
        var taken = reserved
        var names: [String: String] = [:]
        func validName(_ original: String) -> String {
            let valid = original.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) ? $0 : "-" }
            let start = String(valid.drop { !$0.isLetter && !$0.isNumber })
            let base = start.isEmpty ? "lane" : start
            var name = base
            var number = 2
            while !taken.insert(name).inserted {
                name = "\(base)-\(number)"
                number += 1
            }
            return name
        }
        for lane in lanes { names[lane.name] = validName(lane.name) }
        for index in lanes.indices {
            lanes[index].rename(names)
            lanes[index].aliases = lanes[index].aliases.map(validName)
        }
    }
}
