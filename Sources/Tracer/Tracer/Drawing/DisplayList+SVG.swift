extension DisplayList {
    /// The picture as an SVG document, the same text on every system.
    public var svg: String { svgHead + svgBody + "</svg>\n" }

    /// The opening tag.
    var svgHead: String {
        let (width, height) = (Decimal3(size.width).text, Decimal3(size.height).text)
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)">

            """
    }

    /// The background and the items, with one element per line.
    var svgBody: String {
        var text = imageDefinitions
        if let background {
            let (width, height) = (Decimal3(size.width).text, Decimal3(size.height).text)
            text += "<rect width=\"\(width)\" height=\"\(height)\"\(Self.paint("fill", background))/>\n"
        }
        for item in items.lazy.flatMap({ $0.shapes }) {
            switch item {
            case .stroke(let points, let width, let color): text += Self.element([points], width, color)
            case .strokes(let lines, let width, let color): text += Self.element(lines, width, color)
            case .fill(let polygon, let color):
                text += "<path d=\"\(Self.pathData(polygon))z\"\(Self.paint("fill", color))/>\n"
            case .image(let image, let frame):
                let origin = "x=\"\(Decimal3(frame.origin.x).text)\" y=\"\(Decimal3(frame.origin.y).text)\""
                text += "<use href=\"#\(image.identifier(frame.size))\" \(origin)/>\n"
            case .number: break
            }
        }
        return text
    }

    /// Returns the element of lines that are one shape, or an empty string if there are no points.
    private static func element(_ lines: [[TracePoint]], _ width: Double, _ color: TraceColor) -> String {
        let data: String = lines.filter { !$0.isEmpty }.map { points in
            // A single point needs a second command, without which its round caps are not drawn.
            pathData(points) + (points.count > 1 ? "" : "h0")
        }.joined()
        guard !data.isEmpty else { return "" }
        return """
            <path d="\(data)" fill="none"\(paint("stroke", color)) stroke-width="\(Decimal3(width).text)" \
            stroke-linecap="round" stroke-linejoin="round"/>

            """
    }

    /// The definitions of all images, without duplicates.
    private var imageDefinitions: String {
        var text = ""
        var known: Set<String> = []
        for case .image(let image, let frame) in items {
            let identifier = image.identifier(frame.size)
            guard known.insert(identifier).inserted else { continue }
            text += """
                <image id="\(identifier)" width="\(Decimal3(frame.size.width).text)" \
                height="\(Decimal3(frame.size.height).text)" preserveAspectRatio="none" href="\(image.dataURL)"/>

                """
        }
        return text.isEmpty ? "" : "<defs>\n\(text)</defs>\n"
    }

    static func pathData(_ points: [TracePoint]) -> String {
        var text = ""
        for (index, point) in points.enumerated() {
            text += "\(index == 0 ? "M" : "L")\(Decimal3(point.x).text) \(Decimal3(point.y).text)"
        }
        return text
    }

    private static func paint(_ property: String, _ color: TraceColor) -> String {
        let opacity = color.alpha == 255 ? "" : " \(property)-opacity=\"\(Decimal3(Double(color.alpha) / 255).text)\""
        return " \(property)=\"\(color.hexadecimal)\"\(opacity)"
    }
}

extension TraceColor {
    /// The color as `#rrggbb`, without the opacity.
    package var hexadecimal: String {
        "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
