import Git
import Text

/// The descriptions of breaking changes in the body of a commit: footers, bullets of squashed commits, and sections.
struct BreakingNotes {
    /// The texts, each joined to one line. Empty for a mark without text.
    private(set) var texts: [String] = []
    /// The first line that seems to describe a breaking change, but has none of the known forms.
    private(set) var doubtful: String?
    /// A Boolean value that indicates whether a squashed commit adds a feature.
    private(set) var hasFeature = false

    private var notes: [Note] = []
    private var isOpen = false
    /// A Boolean value that indicates whether a new paragraph, footer or item starts.
    private var isStart = true
    private var fence: Substring?
    private var isComment = false
    /// A Boolean value that indicates whether lines are in `<details>`, as the notes of an updated dependency.
    private var isFolded = false
    /// The lines that can be subjects of squashed commits.
    private let commits: Commits

    /// The lines of a body that can be subjects of squashed commits.
    enum Commits {
        case bullets
        /// The first lines of paragraphs, in a merge, whose commits are read themselves.
        case paragraphs
        /// None, in the update of a dependency, whose notes the body may contain.
        case none
    }

    private struct Note {
        var lines: [Substring]
        let isProminent: Bool
        let isItem: Bool
    }

    init(_ body: String, _ commits: Commits) {
        self.commits = commits
        for line in body.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            read(Substring(line))
        }
        for note in notes {
            let words = note.lines.flatMap { $0.utf8.split(whereSeparator: \.isSpace) }.map { String(Substring($0)) }
            let text = words.joined(separator: " ")
            if Self.isDenial(text) || (text.isEmpty && !note.isProminent) { continue }
            texts.append(text)
        }
    }

    private mutating func read(_ line: Substring) {
        let text = line.dropping(bytes: \.isSpace)
        if isOutsideText(text) {
            isOpen = false
            return
        }
        if text.isEmpty {
            isStart = true
            if let last = notes.last, last.lines.contains(where: { !$0.isEmpty }) { isOpen = false }
            return
        }
        let item = Self.item(text)
        let mark = BreakingMark(item ?? text)
        if let mark, isStart || item != nil || mark.isProminent {
            notes.append(Note(lines: [mark.text ?? ""], isProminent: mark.isProminent, isItem: item != nil))
            (isOpen, isStart) = (true, true)
        } else if item == nil, Self.isFooter(line) && !readsBreakingCommit(text) {
            (isOpen, isStart) = (false, true)
        } else if canBeCommit(isItem: item != nil), readsCommit(item ?? text) {
            isOpen = false
        } else {
            continueNote(text, item)
        }
    }

    private func canBeCommit(isItem: Bool) -> Bool {
        switch commits {
        case .bullets: isItem || isStart
        case .paragraphs: isStart
        case .none: false
        }
    }

    /// Updates the state for lines in code blocks, comments and quotes. Returns `true` for such a line.
    private mutating func isOutsideText(_ text: Substring) -> Bool {
        if fence == nil, !isComment, isFolded || text.hasPrefix("<details") || text.hasPrefix(">") {
            if !text.hasPrefix(">") { isFolded = text.range(of: "</details>") == nil }
            if doubtful == nil, Self.isDoubtful(text) { doubtful = String(text) }
            return true
        }
        if let open = fence {
            if text.hasPrefix(open) { fence = nil }
            return true
        }
        if isComment || text.hasPrefix("<!--") {
            isComment = text.range(of: "-->") == nil
            return true
        }
        fence = ["```", "~~~"].first(where: text.hasPrefix).map { $0[...] }
        return fence != nil
    }

    private func readsBreakingCommit(_ text: Substring) -> Bool {
        isStart && ConventionalSubject(String(text)).map { $0.type != nil && $0.isBreaking } ?? false
    }

    /// Reads the subject of a squashed commit. Returns `false` if the line is none.
    private mutating func readsCommit(_ text: Substring) -> Bool {
        guard let subject = ConventionalSubject(String(text)), subject.type != nil else { return false }
        if subject.isBreaking {
            notes.append(Note(lines: [Substring(subject.description)], isProminent: true, isItem: true))
        } else if subject.type == "feat" || subject.type == "feature" {
            hasFeature = true
        }
        isStart = false
        return true
    }

    private mutating func continueNote(_ text: Substring, _ item: Substring?) {
        isStart = false
        guard isOpen, let last = notes.last, !text.hasPrefix("#"), !(item != nil && last.isItem) else {
            isOpen = false
            if doubtful == nil, Self.isDoubtful(text) { doubtful = String(text) }
            return
        }
        notes[notes.count - 1].lines.append(last.lines == [""] ? item ?? text : text)
    }

    /// Returns the text of a list item, or `nil` if the line is none.
    private static func item(_ text: Substring) -> Substring? {
        let number = text.prefix(ofBytes: \.isDigit)
        let rest = text[number.endIndex...]
        let marks = number.isEmpty ? "-*+" : ".)"
        guard let mark = rest.utf8.first, marks.utf8.contains(mark) || rest.hasPrefix("•") else { return nil }
        let content = rest.dropFirst()
        return content.utf8.first?.isBlank == true ? content.dropping(bytes: \.isBlank) : nil
    }

    /// Returns a Boolean value that indicates whether a line is a footer, such as `Signed-off-by: Ada` or `Refs #12`.
    private static func isFooter(_ line: Substring) -> Bool {
        let token = line.utf8.prefix { $0.isAlphanumeric || $0 == UInt8(ascii: "-") }
        let rest = line.utf8[token.endIndex...]
        return !token.isEmpty && (rest.starts(with: ": ".utf8) || rest.starts(with: " #".utf8))
    }

    /// Returns a Boolean value that indicates whether a note says that there is no breaking change, as in the forms of
    /// many pull requests.
    private static func isDenial(_ text: String) -> Bool {
        let words = text.utf8.filter { !"*_`.!()[]".utf8.contains($0) }.split(whereSeparator: \.isSpace)
            .map { String(decoding: $0, as: UTF8.self).lowercased() }
        return [
            "no", "none", "nope", "n/a", "na", "nothing", "-", "false", "no breaking change", "no breaking changes",
            "not applicable", "none expected", "there are none", "no change", "no changes",
        ].contains(words.joined(separator: " "))
    }

    /// Returns a Boolean value that indicates whether a line may describe a breaking change in a form that does not
    /// count.
    static func isDoubtful(_ line: Substring) -> Bool {
        let text = line.lowercased()
        let denials = [
            "non-breaking", "nonbreaking", "non breaking", "no breaking", "not breaking", "not a breaking", "[ ]",
            "without breaking", "isn't a breaking", "isn't breaking", "aren't breaking", "avoid", "no incompatible",
            "not break", "n't break",
        ]
        let signs = [
            "breaking change", "breaking-change", "breaking api", "api breaking", "api-breaking", "source breaking",
            "source-breaking", "backwards incompatible", "backward incompatible", "backwards-incompatible",
            "backward-incompatible", "incompatible change", "breaks the api", "breaks api", "breaks existing",
            "[breaking]", "(breaking)", "break: ",
        ]
        guard signs.contains(where: { text.contains($0) }), !denials.contains(where: { text.contains($0) }) else {
            return false
        }
        // The unfilled line of a template.
        return
            !(BreakingMark(item(line) ?? line).map { isDenial(String($0.text ?? "no")) || $0.text?.isEmpty ?? true }
            ?? false)
    }
}

/// The beginning of a note about a breaking change: `BREAKING CHANGE:`, `* Breaking changes:`, `### BREAKING CHANGES`.
struct BreakingMark {
    /// The text after the colon, or `nil` if the line is only a heading.
    let text: Substring?
    /// A Boolean value that indicates whether the line is a mark in any position: in uppercase, bold, or a heading.
    /// Other lines may be the continuation of a sentence.
    let isProminent: Bool

    init?(_ line: Substring) {
        let start = line.dropping { $0.isSpace || "*_`[".utf8.contains($0) || $0 >= 0x80 }
        let isEmphasized = line.dropping(bytes: \.isSpace).utf8.first.map { "*_`#".utf8.contains($0) } ?? false
        var rest = start.dropping { $0 == UInt8(ascii: "#") || $0.isSpace || $0 >= 0x80 || $0 == UInt8(ascii: "*") }
        let word = rest.prefix(ofBytes: \.isLetter)
        guard word.lowercased() == "breaking" else { return nil }
        rest = rest[word.endIndex...]
        let change = rest.dropping { $0.isBlank || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        let noun = change.prefix(ofBytes: \.isLetter)
        let hasNoun = ["change", "changes"].contains(noun.lowercased())
        if hasNoun { rest = change[noun.endIndex...] }
        let isUppercase = word == word.uppercased() && (!hasNoun || noun.uppercased().hasPrefix(noun.prefix(6)))
        if rest.utf8.first == UInt8(ascii: "("), let close = rest.utf8.firstIndex(of: UInt8(ascii: ")")) {
            rest = rest[close...].dropFirst()
        }
        rest = rest.dropping { "*_`]!".utf8.contains($0) || $0.isBlank }
        isProminent = isUppercase || isEmphasized
        if let colon = [":", "："].first(where: rest.hasPrefix) {
            let text = rest.dropFirst(colon.count)
            self.text = (isEmphasized ? text.dropping { "*_`".utf8.contains($0) } : text).dropping(bytes: \.isSpace)
        } else if hasNoun, isUppercase, rest.hasPrefix("#") || rest.hasPrefix("- ") || rest.hasPrefix("– ") {
            text = rest.hasPrefix("#") ? rest : rest.dropFirst(2)
        } else {
            guard hasNoun, isProminent, rest.utf8.allSatisfy(\.isSpace) else { return nil }
            text = nil
        }
    }
}
