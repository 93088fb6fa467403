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
        // Every step of a plan has one, so by bytes.
        let line = text.utf8.prefix { !Self.endsLine($0) }
        guard line.count < text.utf8.count else { return text }
        let goesOn = text.utf8[line.endIndex...].contains { $0 != UInt8(ascii: " ") && !Self.endsLine($0) }
        return String(Substring(line)) + (goesOn ? " …" : "")
    }

    private static func endsLine(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
}
