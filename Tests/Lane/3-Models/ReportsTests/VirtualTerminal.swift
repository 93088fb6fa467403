/// A simulation of the terminal functions of the live rows: wrapping, line feeds, carriage returns, cursor up, erase
/// below. Colors are ignored, and text that scrolls off the top is kept.
struct VirtualTerminal {
    private(set) var lines: [[Character]] = [[]]
    private var row = 0
    private var column = 0
    private var width: Int

    init(width: Int) {
        self.width = width
    }

    var text: String {
        lines.map { line in
            var line = line
            while line.last == " " { line.removeLast() }
            return String(line)
        }.joined(separator: "\n")
    }

    mutating func write(_ bytes: [UInt8]) {
        var rest = Substring(String(decoding: bytes, as: UTF8.self))
        while let character = rest.popFirst() {
            switch character {
            case "\r\n":
                column = 0
                lineFeed()
            case "\n":
                column = 0
                lineFeed()
            case "\r": column = 0
            case "\u{1B}": control(&rest)
            default: put(character)
            }
        }
    }

    /// Changes the width. Like most terminals, it wraps lines again and keeps the cursor at its character.
    mutating func resize(to newWidth: Int) {
        width = newWidth
        var wrapped: [[Character]] = []
        for line in lines {
            var line = line[...]
            repeat {
                wrapped.append(Array(line.prefix(newWidth)))
                line = line.dropFirst(newWidth)
            } while !line.isEmpty
        }
        lines = wrapped
        row = lines.count - 1
        column = lines[row].count
    }

    private mutating func lineFeed() {
        row += 1
        if row == lines.count { lines.append([]) }
    }

    private mutating func put(_ character: Character) {
        if column == width {
            column = 0
            lineFeed()
        }
        while lines[row].count <= column { lines[row].append(" ") }
        lines[row][column] = character
        column += 1
    }

    private mutating func control(_ rest: inout Substring) {
        guard rest.popFirst() == "[" else { return }
        var parameter = ""
        while let next = rest.popFirst() {
            if next.isNumber || next == ";" || next == "?" {
                parameter.append(next)
                continue
            }
            switch next {
            case "A": row = max(0, row - (Int(parameter) ?? 1))
            case "J":
                lines.removeSubrange((row + 1)...)
                lines[row] = Array(lines[row].prefix(column))
            default: break
            }
            return
        }
    }
}
