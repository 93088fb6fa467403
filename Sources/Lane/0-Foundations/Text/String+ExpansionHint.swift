extension String {
    /// The hint on a path that only a shell expands, such as `~/report.xml` or `$HOME/report.xml`, or `nil` for any other
    /// path.
    ///
    /// A file with such a name has the path `./~`.
    package var expansionHint: String? {
        let isHome = self == "~" || hasPrefix("~/")
        let next = dropFirst().utf8.first ?? 0
        let isVariable = hasPrefix("$") && (next.isIdentifierStart || next == UInt8(ascii: "{"))
        return isHome || isVariable ? "no shell expands it; write the whole path" : nil
    }
}
