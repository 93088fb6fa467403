/// The positions of steps in the summary of a run.
///
/// Steps mostly end in the order of the plan, so the search starts near the last position. A table of all positions is
/// created only if this search fails.
struct StepPositions: Sendable {
    private var latest = 0
    /// The positions by the text of the ID. A custom key type would make each start of `lane` search for its
    /// conformance.
    private var table: [String: Int] = [:]
    /// The number of steps in the table.
    private var indexedCount = 0

    /// Returns the position of a step, or `nil` if there is none with the ID.
    func position(of id: StepID, among steps: [StepSummary]) -> Int? {
        if let position = nearbyPosition(id, steps) { return position }
        if let position = table[id.description] { return position }
        return steps.dropFirst(indexedCount).firstIndex { $0.id == id }
    }

    /// Returns the position of a step, and starts the next search there.
    mutating func find(_ id: StepID, among steps: [StepSummary]) -> Int? {
        if let position = nearbyPosition(id, steps) {
            latest = position
            return position
        }
        while indexedCount < steps.count {
            let text = steps[indexedCount].id.description
            if table[text] == nil { table[text] = indexedCount }
            indexedCount += 1
        }
        guard let position = table[id.description] else { return nil }
        latest = position
        return position
    }

    private func nearbyPosition(_ id: StepID, _ steps: [StepSummary]) -> Int? {
        for position in max(0, latest - 1)..<min(steps.count, latest + 3) where steps[position].id == id {
            return position
        }
        return nil
    }
}
