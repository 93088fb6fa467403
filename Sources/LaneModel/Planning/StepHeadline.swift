extension SettingsTemplate {
    /// The command of a `run` step on one line.
    var headline: String? {
        guard action?.name == "run", let node = members.first(where: { $0.name == "command" })?.node else { return nil }
        let text: String
        switch node {
        case .value(let value): text = value.text ?? ""
        case .template(let template): text = template.text
        case .list(let nodes):
            text = nodes.map { node in
                switch node {
                case .value(let value): value.text ?? ""
                case .template(let template): template.text
                case .list, .map: ""
                }
            }.joined(separator: " ")
        case .map: return nil
        }
        let line = text.prefix { !$0.isNewline }
        return line.count < text.count && text.dropFirst(line.count + 1).contains { !$0.isWhitespace }
            ? line + " …" : String(line)
    }
}
