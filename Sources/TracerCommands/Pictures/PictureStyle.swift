import Arguments
import Diagnostics
import Files
import Tracer
import TracerPictures

/// How the pictures of several commands look.
enum PictureStyle {
    private static let background = Key<String?>.option(
        "background", value: "file", help: "Show a PNG picture behind the letter.", completion: .file)
    private static let keyPoints = Key<String?>.option(
        "key-points", value: "file", help: "Show a PNG picture at key points instead of stars.", completion: .file)

    static let parameters = [background.spec, keyPoints.spec]

    /// - Throws: ``Failure`` with status 66 for a file that can't be read and 65 for one that is no picture.
    static func picture(_ arguments: ParsedArguments) throws -> TracePicture {
        var picture = TracePicture()
        picture.backgroundImage = try arguments[background].map { try image($0) }
        picture.keyPointImage = try arguments[keyPoints].map { try image($0) }
        return picture
    }

    private static func image(_ path: String) throws -> PNGImage {
        let bytes: [UInt8]
        do {
            bytes = try readFile(path)
        } catch {
            throw Failure("\(error)", status: .fileNotFound)
        }
        guard let image = PNGImage(bytes) else {
            throw Failure("'\(path)' is not a PNG picture", status: .refused)
        }
        do {
            _ = try PNG.decode(image)
        } catch {
            throw Failure("'\(path)' can't be shown: \(error)", status: .refused)
        }
        return image
    }
}
