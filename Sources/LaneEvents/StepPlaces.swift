/// Where the steps of a run stand in its summary.
///
/// Steps end nearly in the order of the plan, so the next one asked for mostly stands beside the last; a table of all is
/// made only when one does not.
struct StepPlaces: Sendable {
    private var latest = 0
    /// By the ids' texts: with a key type of our own, every start would search the program for its conformance.
    private var table: [String: Int] = [:]
    /// How many steps the table knows.
    private var tabledCount = 0

    /// `nil` where no step has that id.
    func place(of id: StepID, among steps: [StepSummary]) -> Int? {
        if let place = placeNearby(id, steps) { return place }
        if let place = table[id.description] { return place }
        return steps.dropFirst(tabledCount).firstIndex { $0.id == id }
    }

    /// As `place`, and quick for every id from then on.
    mutating func find(_ id: StepID, among steps: [StepSummary]) -> Int? {
        if let place = placeNearby(id, steps) {
            latest = place
            return place
        }
        while tabledCount < steps.count {
            let text = steps[tabledCount].id.description
            if table[text] == nil { table[text] = tabledCount }
            tabledCount += 1
        }
        guard let place = table[id.description] else { return nil }
        latest = place
        return place
    }

    private func placeNearby(_ id: StepID, _ steps: [StepSummary]) -> Int? {
        for place in max(0, latest - 1)..<min(steps.count, latest + 3) where steps[place].id == id { return place }
        return nil
    }
}
