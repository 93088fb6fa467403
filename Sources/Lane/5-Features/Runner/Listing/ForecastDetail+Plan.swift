import Actions
import Text

extension ForecastDetail {
    /// The lines of the detail below the line of its step.
    var lines: [String] {
        switch self {
        case .check(let text), .request(let text): [text]
        case .edit(_, let difference): difference.lines
        case .file(let path, let size): ["\(path)  \(count(size, "byte")) the last time"]
        }
    }

    /// Writes an object whose members name the kind of detail.
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            switch self {
            case .check(let text): writer.member("check", text)
            case .edit(let file, let difference):
                writer.member("edit", file)
                writer.member("diff", difference)
            case .file(let path, let size):
                writer.member("file", path)
                writer.member("size", size)
            case .request(let text): writer.member("request", text)
            }
        }
    }
}
