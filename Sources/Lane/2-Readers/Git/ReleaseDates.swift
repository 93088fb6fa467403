extension Git {
    /// The variables that date commits and tags with `SOURCE_DATE_EPOCH`, so that several machines create the same
    /// commit. Empty without that variable, and if the user has set the dates.
    package var releaseDates: [String: String] {
        guard let seconds = self[variable: "SOURCE_DATE_EPOCH"], !seconds.isEmpty else { return [:] }
        let names = ["GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"].filter { self[variable: $0] == nil }
        return Dictionary(uniqueKeysWithValues: names.map { ($0, "@\(seconds) +0000") })
    }
}
