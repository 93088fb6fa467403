import Tracer

/// A picture of several glyphs, with the center lines of their strokes.
enum GlyphSheet {
    static func list(_ glyphs: [Glyph], columns: Int, settings: TraceSettings, picture: TracePicture = TracePicture())
        throws -> DisplayList
    {
        let cell = LetterArguments.size
        let rows = (glyphs.count + columns - 1) / columns
        var sheet = DisplayList(
            size: TraceSize(cell.width * Double(columns), cell.height * Double(rows)),
            background: picture.backgroundColor)
        for (number, glyph) in glyphs.enumerated() {
            let target = try makeTarget(glyph, size: cell, settings: settings)
            let offset = TraceTransform.translation(
                TracePoint(Double(number % columns) * cell.width, Double(number / columns) * cell.height))
            sheet.items += picture.displayList(of: target, size: cell).items.map { $0.transformed(by: offset) }
            sheet.items += target.paths.map {
                DisplayList.Item.stroke(
                    points: $0.points.map(offset.apply), width: 2, color: TraceColor(150, 158, 166))
            }
        }
        return sheet
    }
}
