/// A one-to-one assignment of rows to columns with the least total cost.
struct Assignment {
    /// The cost of a pair that is not permitted.
    static let none = 1e6

    private let costs: [[Double]]
    private let columns: Int

    /// - Parameter costs: The cost of each pair, as a list of columns for each row. `Assignment.none` forbids a pair.
    init(costs: [[Double]]) {
        self.costs = costs
        columns = costs.first?.count ?? 0
    }

    /// The column of each row, or `nil` for a row without a column.
    var columnOfRow: [Int?] {
        let (small, large) = (min(costs.count, columns), max(costs.count, columns))
        let found: [Int?]
        if small * small * large > 1 << 24 {
            // The exact method would take seconds for this size.
            found = greedy
        } else if costs.count <= columns {
            found = Self.exact(rows: costs.count, columns: columns) { costs[$0][$1] }
        } else {
            var turned = [Int?](repeating: nil, count: costs.count)
            let rows = Self.exact(rows: columns, columns: costs.count) { costs[$1][$0] }
            for (column, row) in rows.enumerated() { if let row { turned[row] = column } }
            found = turned
        }
        return found.enumerated().map { row, column in column.flatMap { costs[row][$0] < Self.none ? $0 : nil } }
    }

    /// The greedy assignment: the pair with the least cost first.
    private var greedy: [Int?] {
        let pairs = costs.enumerated().flatMap { row, costs in
            costs.enumerated().lazy.filter { $0.element < Self.none }.map { ($0.element, row, $0.offset) }
        }
        var found = [Int?](repeating: nil, count: costs.count)
        var isTaken = [Bool](repeating: false, count: columns)
        for (_, row, column) in pairs.sorted(by: <) where found[row] == nil && !isTaken[column] {
            found[row] = column
            isTaken[column] = true
        }
        return found
    }

    /// Returns the assignment by the Hungarian method with potentials. Adds one row at a time by the cheapest
    /// augmenting path.
    private static func exact(rows: Int, columns: Int, cost: (Int, Int) -> Double) -> [Int?] {
        var (rowPotential, columnPotential) = (
            [Double](repeating: 0, count: rows), [Double](repeating: 0, count: columns)
        )
        var rowOfColumn = [Int?](repeating: nil, count: columns)
        for row in 0..<rows {
            var least = [Double](repeating: .infinity, count: columns)
            var previous = [Int?](repeating: nil, count: columns)
            var isUsed = [Bool](repeating: false, count: columns)
            var (current, last) = (row, Int?.none)
            while true {
                var (next, step) = (0, Double.infinity)
                for column in 0..<columns where !isUsed[column] {
                    let reduced = cost(current, column) - rowPotential[current] - columnPotential[column]
                    if reduced < least[column] { (least[column], previous[column]) = (reduced, last) }
                    if least[column] < step { (next, step) = (column, least[column]) }
                }
                rowPotential[row] += step
                for column in 0..<columns {
                    if isUsed[column] {
                        columnPotential[column] -= step
                        if let owner = rowOfColumn[column] { rowPotential[owner] += step }
                    } else {
                        least[column] -= step
                    }
                }
                isUsed[next] = true
                last = next
                guard let owner = rowOfColumn[next] else { break }
                current = owner
            }
            // Exchanges the pairs along the augmenting path, from its end.
            var column = last
            while let end = column {
                rowOfColumn[end] = previous[end].flatMap { rowOfColumn[$0] } ?? row
                column = previous[end]
            }
        }
        var columnOfRow = [Int?](repeating: nil, count: rows)
        for (column, row) in rowOfColumn.enumerated() { if let row { columnOfRow[row] = column } }
        return columnOfRow
    }
}
