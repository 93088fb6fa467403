import Text
import Tracer

extension Recording {
    /// The recording in JSON, with one sample per line and full precision.
    var jsonText: String {
        var head = JSONWriter()
        head.object { writer in
            writer.member("tracer", Self.format)
            if let letter { writer.member("letter", letter) }
            writer.member("width", size.width)
            writer.member("height", size.height)
            writer.member("threshold", threshold)
        }
        let strokes = strokes.map { stroke in
            "    [\n" + stroke.samples.map { "      \($0.jsonText)" }.joined(separator: ",\n") + "\n    ]"
        }
        return head.text.dropLast() + ",\n  \"strokes\":[\n" + strokes.joined(separator: ",\n") + "\n  ]\n}\n"
    }
}

extension Recording.Sample {
    fileprivate var jsonText: String {
        var writer = JSONWriter()
        writer.array { writer in
            writer.value(point.x)
            writer.value(point.y)
            writer.value(time)
        }
        return writer.text
    }
}
