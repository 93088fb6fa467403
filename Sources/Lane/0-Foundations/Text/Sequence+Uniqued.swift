extension Sequence where Element: Hashable {
    /// Returns the distinct elements in the order of their first occurrence.
    ///
    /// Inlinable, so that other modules call a specialized version.
    @inlinable
    package func uniqued() -> [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
