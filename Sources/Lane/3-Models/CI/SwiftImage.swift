import OperatingSystem
import Text

/// The official container image of a release of Swift.
package enum SwiftImage {
    /// The image unless a file names a release.
    package static let standard = "swift:6.3-bookworm"

    /// Returns the image of the release in the file `.swift-version` of a package or of a directory above it in its
    /// repository.
    package static func selected(in surroundings: RepositorySurroundings) -> String {
        var directory = surroundings.packages[0]
        while true {
            // swiftly also uses only the nearest file.
            if let text = try? readText("\(directory)/.swift-version") { return image(ofRelease: text) ?? standard }
            guard directory != surroundings.top, directory != "/" else { return standard }
            directory = parentDirectory(directory)
        }
    }

    /// Returns the image of a release, or `nil` for other text, such as the name of a snapshot, and for releases before
    /// 6.2, which do not build `lane`.
    static func image(ofRelease text: String) -> String? {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 1 else { return nil }
        let numbers = words[0].split(separator: ".", omittingEmptySubsequences: false)
        guard 2...3 ~= numbers.count, numbers.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }),
            let major = Int(numbers[0]), let minor = Int(numbers[1]), (major, minor) >= (6, 2)
        else { return nil }
        return "swift:\(words[0])-bookworm"
    }
}
