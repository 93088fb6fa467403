import Arguments
import Diagnostics
import Files
import Tracer
import TracerPictures

/// The parameters for the appearance of pictures.
enum PictureStyle {
    private static let background = Key<String?>.option(
        "background", value: "file", help: "Show a PNG image behind the letter.", completion: .file)
    private static let keyPoints = Key<String?>.option(
        "key-points", value: "file", help: "Show a PNG image at key points instead of stars.", completion: .file)

    static let parameters = [background.spec, keyPoints.spec]

    /// Returns the appearance.
    ///
    /// - Throws: ``Failure`` with status 66 for a file that cannot be read, and 65 for one that isn't a supported
    ///   image.
    static func picture(_ arguments: ParsedArguments) throws -> TracePicture {
        var picture = TracePicture()
        picture.backgroundImage = try arguments[background].map { try image($0) }
        picture.keyPointImage = try arguments[keyPoints].map { try image($0) }
        return picture
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
