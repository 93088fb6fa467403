/// The smallest change of one sequence into another, as ranges of the first that ranges of the second replace.
///
/// The algorithm is Myers' "An O(ND) Difference Algorithm". After `limit` insertions and removals, the rest counts as
/// replaced, which bounds the time by the length times `limit`, and the memory by the square of `limit`.
struct SequenceDifference {
    /// A range of the first sequence that a range of the second replaces. The elements between changes are equal.
    struct Change: Equatable {
        var left: Range<Int>
        var right: Range<Int>
    }

    private(set) var changes: [Change] = []

    /// Creates the difference of two sequences of hashable elements.
    init<Element: Hashable>(_ left: [Element], _ right: [Element], limit: Int = 1000) {
        var numbers: [Element: Int32] = [:]
        func number(_ element: Element) -> Int32 {
            if let known = numbers[element] { return known }
            numbers[element] = Int32(numbers.count)
            return Int32(numbers.count - 1)
        }
        let (left, right) = (left.map(number), right.map(number))
        let shorter = min(left.count, right.count)
        let start = (0..<shorter).first { left[$0] != right[$0] } ?? shorter
        let rest = shorter - start
        let end = (0..<rest).first { left[left.count - 1 - $0] != right[right.count - 1 - $0] } ?? rest
        let (a, b) = (Array(left[start..<left.count - end]), Array(right[start..<right.count - end]))
        guard !a.isEmpty || !b.isEmpty else { return }
        guard !a.isEmpty, !b.isEmpty, let steps = Self.furthest(a, b, limit: limit) else {
            changes = [Change(left: start..<start + a.count, right: start..<start + b.count)]
            return
        }
        changes = Self.changes(a, b, steps).map { change in
            Change(
                left: change.left.lowerBound + start..<change.left.upperBound + start,
                right: change.right.lowerBound + start..<change.right.upperBound + start)
        }
    }

    /// Returns the furthest position in `a` on each diagonal for each number of edits, or `nil` if there are more than
    /// `limit`.
    private static func furthest(_ a: [Int32], _ b: [Int32], limit: Int) -> [[Int32]]? {
        var steps: [[Int32]] = []
        for edits in 0...min(a.count + b.count, limit) {
            // Diagonal `k` is at index `k + edits`; those of the step before, at `k + edits - 1`.
            let before = steps.last ?? []
            var reached = [Int32](repeating: -1, count: 2 * edits + 1)
            for k in stride(from: -edits, through: edits, by: 2) {
                var x = 0
                if edits > 0 { x = Int(start(of: k, edits, before).x) }
                var y = x - k
                while x < a.count, y < b.count, y >= 0, a[x] == b[y] { (x, y) = (x + 1, y + 1) }
                reached[k + edits] = Int32(x)
                if x >= a.count, y >= b.count { return steps + [reached] }
            }
            steps.append(reached)
        }
        return nil
    }

    /// Returns the start on diagonal `k` after one more edit, and whether the edit inserts an element.
    private static func start(of k: Int, _ edits: Int, _ before: [Int32]) -> (x: Int32, isInsertion: Bool) {
        // The step before has the diagonals -(edits - 1)...(edits - 1).
        let below = k - 1 >= -(edits - 1) ? before[k - 1 + edits - 1] : -1
        let above = k + 1 <= edits - 1 ? before[k + 1 + edits - 1] : -1
        return k == -edits || (k != edits && below < above) ? (above, true) : (below + 1, false)
    }

    /// Returns the changes on the way back from the end.
    private static func changes(_ a: [Int32], _ b: [Int32], _ steps: [[Int32]]) -> [Change] {
        var changes: [Change] = []
        var (x, y) = (a.count, b.count)
        for edits in stride(from: steps.count - 1, to: 0, by: -1) {
            let k = x - y
            let (start, isInsertion) = start(of: k, edits, steps[edits - 1])
            // The snake from the start to the current position is equal.
            (x, y) = (Int(start), Int(start) - k)
            let left = isInsertion ? x..<x : x - 1..<x
            let right = isInsertion ? y - 1..<y : y..<y
            (x, y) = (left.lowerBound, right.lowerBound)
            if let last = changes.last, last.left.lowerBound == left.upperBound,
                last.right.lowerBound == right.upperBound
            {
                changes[changes.count - 1] = Change(
                    left: left.lowerBound..<last.left.upperBound, right: right.lowerBound..<last.right.upperBound)
            } else {
                changes.append(Change(left: left, right: right))
            }
        }
        return changes.reversed()
    }
}
