import Text

extension String {
    /// The text as a scalar of YAML in a list: plain if that is surely a string, otherwise in quotes as in JSON, which
    /// is a subset.
    var yamlScalar: String {
        let words: Set = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
        let isPlain =
            utf8.first?.isLetter == true && utf8.allSatisfy { $0.isAlphanumeric || "-_./".utf8.contains($0) }
            && !words.contains(lowercased())
        if isPlain { return self }
        var writer = JSONWriter()
        writer.value(self)
        return writer.text
    }
}
