import Text

/// The form that the headings of versions have in a changelog.
struct ChangelogStyle: Sendable, Equatable {
    private let form: ChangelogHeading.Form?
    /// The words before all versions, and the level of their headings, if they have the form `.named`.
    private var name: [String] = []
    private var level = 0
    /// The level of headings with a whole version. `2.0` on a higher level is the title of several versions.
    private let leastLevel: Int

    init(_ lines: [ChangelogLine]) {
        let headings = lines.indices.compactMap { ChangelogHeading(in: lines, at: $0) }.filter { $0.version != nil }
        let form = headings.map(\.form).min()
        let named = headings.filter { $0.form == .named }
        let level = named.map(\.level).min() ?? 0
        let names = Set(named.filter { $0.level == level }.map(\.title.subject))
        leastLevel = headings.filter { $0.form == form && !$0.title.isPartial }.map(\.level).max() ?? 0
        if form == .named {
            (name, self.level) = (names.first ?? [], level)
            // Versions of several packages
            self.form = names.count == 1 ? form : nil
        } else {
            self.form = form
        }
    }

    /// Returns the heading at a line. Its version is `nil` if it has another form than the others.
    func heading(in lines: [ChangelogLine], at index: Int) -> ChangelogHeading? {
        guard let heading = ChangelogHeading(in: lines, at: index) else { return nil }
        if heading.version == nil {
            return heading.form < .bold || heading.form == form || form == nil ? heading : nil
        }
        let isOther =
            heading.form != form || heading.title.isPartial && heading.level < leastLevel
            || heading.form == .named && (heading.title.subject != name || heading.level != level)
        return isOther ? heading.withoutVersion() : heading
    }
}
