import Arguments
import Text
import Tracer
import TracerPictures

/// The picture files that several commands write.
struct PictureOutput {
    private static let svg = Key<String?>.option(
        "svg", value: "file", help: "Write the picture to an SVG file.", completion: .file)
    private static let png = Key<String?>.option(
        "png", value: "file", help: "Write the picture to a PNG file.", completion: .file)
    private static let scale = Key<Double>.option(
        "scale", value: "factor", default: 2, help: "The number of pixels of the PNG per view unit.")
    private static let thumbnail = Key<String?>.option(
        "thumbnail", value: "file", help: "Write a PNG file of at most 128 by 128 pixels.", completion: .file)
    private static let picture = Key<Bool>.flag("picture", help: "Draw the picture in the terminal.")

    static let parameters = [svg.spec, png.spec, scale.spec, thumbnail.spec, picture.spec, LetterArguments.force.spec]

    private let svgFile: OutputFile?
    private let pngFile: OutputFile?
    private let thumbnailFile: OutputFile?
    private let scale: Double
    private let showsPicture: Bool

    /// Validates the arguments.
    init(_ arguments: ParsedArguments) throws {
        let force = arguments[LetterArguments.force]
        svgFile = try arguments[Self.svg].map { try OutputFile($0, force: force) }
        pngFile = try arguments[Self.png].map { try OutputFile($0, force: force) }
        thumbnailFile = try arguments[Self.thumbnail].map { try OutputFile($0, force: force) }
        scale = arguments[Self.scale]
        guard scale > 0, scale <= 100 else {
            throw Failure("expected a scale above 0 and up to 100, found \(scale)", status: .usage)
        }
        showsPicture = arguments[Self.picture]
    }

    var isEmpty: Bool { svgFile == nil && pngFile == nil && thumbnailFile == nil && !showsPicture }

    func write(_ list: DisplayList, to console: Console) throws {
        // The PNG files are drawn first. If the picture is too large, no other file is written.
        let (png, thumbnail): ([UInt8]?, [UInt8]?)
        do {
            png = try pngFile.map { _ in PNG.encode(try Canvas(list, scale: scale)) }
            thumbnail = try thumbnailFile.map { _ in try PNG.thumbnail(list) }
        } catch let error as Canvas.TooLarge {
            throw Failure("\(error)", hint: "'--scale \(error.largestScale)' is the largest that fits", status: .usage)
        }
        try svgFile?.write(list.svg)
        if let png { try pngFile?.write(png) }
        if let thumbnail { try thumbnailFile?.write(thumbnail) }
        if showsPicture { show(list, on: console) }
    }

    func show(_ list: DisplayList, on console: Console) {
        let style = console.style
        let form: CellPicture.Form = !style.isUnicode ? .ascii : style.isColored ? .halfBlocks : .braille
        let picture = CellPicture(list, columns: min(console.width, 48), form: form, isColored: style.isColored)
        for line in picture.lines { console.write(line.trimmed + "\n") }
    }
}

extension String {
    /// The string without trailing spaces.
    fileprivate var trimmed: Substring {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return text
    }
}
