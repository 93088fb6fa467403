import Expressions
import Text

extension SettingsTemplate {
    /// Returns the command of a `run` step on one line, with values from `known` in place of expressions.
    func headline(_ known: KnownValues?) -> String? {
        guard action?.name == "run", let node = members.first(where: { $0.name == "command" })?.node else { return nil }
        let text: String
        switch node {
        case .list(let nodes):
            // Bytes are faster than strings, and every step of a plan has a headline.
            var words: [UInt8] = []
            words.reserveCapacity(64)
            for index in nodes.indices {
                if index > 0 { words.append(UInt8(ascii: " ")) }
                nodes[index].appendWord(to: &words, known)
            }
            text = String(decoding: words, as: UTF8.self)
        case .map: return nil
        case .value, .template: text = node.shownText(known)
        }
        return ScriptHeadline(text).text
    }
}

extension SettingsTemplate.Node {
    /// Appends the value in shell syntax. Keeps the source of unknown expressions.
    fileprivate func appendWord(to words: inout [UInt8], _ known: KnownValues?) {
        let text = shownText(known)
        // An unknown expression is not quoted, although its source may contain spaces. The words of a list already are.
        if case .template(let template) = self, template.constant == nil, known?.isWord(template) != true {
            words += text.utf8
        } else {
            ShellWords.append(text, to: &words)
        }
    }

    func shownText(_ known: KnownValues?) -> String {
        switch self {
        case .value(let value): value.text ?? ""
        case .template(let template): template.constant ?? known?.text(of: template) ?? ""
        case .list, .map: ""
        }
    }
}
