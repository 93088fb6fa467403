import Files

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What the manifest says of how far a build looks.
///
/// It is code, and is not run here: where a word in it may mean more than the package's own folder, it does.
struct PackageManifest {
    let directory: String

    /// What may make the build depend on something outside of the package's folder; without the white space that may
    /// stand within it.
    private static let wideWords = [
        "environment", "gitInformation", "@_", "/*", "package(path", "package(name", "lugin", "systemLibrary",
        "pkgConfig", "unsafeFlags", "binaryTarget", "../",
    ].map { Array($0.utf8) }

    /// Whether a build depends on nothing but what lies in the folder, as far as can be told.
    var keepsToItsFolder: Bool {
        // One of those for a version of the tools counts in place of the usual one, by rules of its own.
        guard let names = try? listDirectory(directory),
            !names.contains(where: { $0.hasPrefix("Package@swift-") && $0.hasSuffix(".swift") }),
            let text = try? readFile("\(directory)/Package.swift"), Self.importsNothingElse(text)
        else { return false }
        // A comment may stand within it, too; but a text may look like one.
        return ![Self.squeezed(text), Self.squeezed(text, withoutComments: true)].contains { text in
            Self.wideWords.contains { Self.holds($0, text) }
        }
    }

    /// With any other module a manifest may look around by means that have no end.
    private static func importsNothingElse(_ text: [UInt8]) -> Bool {
        let words = text.swiftWords
        return words.indices.allSatisfy { index in
            guard words[index].elementsEqual("import".utf8) else { return true }
            return index + 1 < words.count && words[index + 1].elementsEqual("PackageDescription".utf8)
        }
    }

    /// The library's own search takes a tenth of a second for a large manifest.
    private static func holds(_ word: [UInt8], _ text: [UInt8]) -> Bool {
        var start = 0
        return text.withUnsafeBytes { text in
            while let base = text.baseAddress, start + word.count <= text.count,
                let found = memchr(base + start, Int32(word[0]), text.count - word.count - start + 1)
            {
                if memcmp(found, word, word.count) == 0 { return true }
                start = UnsafeRawPointer(found) - base + 1
            }
            return false
        }
    }

    /// Without white space, and perhaps without what stands behind two slashes that are not those of an address.
    private static func squeezed(_ text: [UInt8], withoutComments: Bool = false) -> [UInt8] {
        var squeezed: [UInt8] = []
        squeezed.reserveCapacity(text.count)
        var (before, beforeThat) = (UInt8(0), UInt8(0))
        var isComment = false
        for byte in text {
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { isComment = false }
            let isOpening = byte == before && byte == UInt8(ascii: "/") && beforeThat != UInt8(ascii: ":")
            if withoutComments, isOpening, !isComment {
                isComment = true
                squeezed.removeLast()
            }
            if !isComment, byte > UInt8(ascii: " ") { squeezed.append(byte) }
            (before, beforeThat) = (byte, before)
        }
        return squeezed
    }
}
