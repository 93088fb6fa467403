import Arguments
import OperatingSystem
import Text
import Tracer
import TracerPictures

/// The parameters for the appearance of pictures.
enum PictureStyle {
    private static let background = Key<String?>.option(
        "background", value: "file", help: "Show a PNG image behind the letter.", completion: .file)
    private static let keyPoints = Key<String?>.option(
        "key-points", value: "file", help: "Show a PNG image at key points instead of stars.", completion: .file)

    private static let cues = Key<String>.option(
        "cues", value: "names", default: "all",
        help: "Show these cues: \(names.map(\.0).joined(separator: ", ")), all or none; several with commas.")
    private static let dark = Key<Bool>.flag("dark", help: "Use light lines on a dark background.")

    private static let names: [(String, TraceCues)] = [
        ("writing-lines", .writingLines), ("starts", .starts), ("ends", .ends), ("arrows", .arrows),
        ("numbers", .numbers), ("next", .next),
    ]

    static let parameters = [background.spec, keyPoints.spec, cues.spec, dark.spec]

    /// Returns the appearance.
    ///
    /// - Throws: ``Failure`` with status 64 for an unknown cue, 66 for a file that cannot be read, and 65 for an
    ///   unsupported image.
    static func picture(_ arguments: ParsedArguments) throws -> TracePicture {
        var picture = TracePicture(arguments[dark] ? .dark : .light)
        picture.cues = try cues(arguments[cues])
        picture.backgroundImage = try arguments[background].map { try image($0) }
        picture.keyPointImage = try arguments[keyPoints].map { try image($0) }
        return picture
    }

    private static func cues(_ text: String) throws -> TraceCues {
        try text.split(separator: ",").reduce(into: []) { cues, word in
            if word == "all" {
                cues.formUnion(.all)
            } else if let cue = names.first(where: { $0.0 == word })?.1 {
                cues.insert(cue)
            } else if word != "none" {
                throw Failure(
                    "there is no cue '\(word)'", hint: "there are \(list(names.map(\.0) + ["all", "none"]))",
                    status: .usage)
            }
        }
    }

    private static func image(_ path: String) throws -> PNGImage {
        let bytes: [UInt8]
        do {
            bytes = try readInput(path)
        } catch {
            throw Failure("\(error)", status: .fileNotFound)
        }
        guard let image = PNGImage(bytes) else {
            throw Failure("'\(path)' is not a PNG image", status: .refused)
        }
        do {
            _ = try PNG.decode(image)
        } catch {
            throw Failure("could not decode '\(path)': \(error)", status: .refused)
        }
        return image
    }
}
