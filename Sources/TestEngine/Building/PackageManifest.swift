import Files

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The manifests of a package, as far as they tell how much a build depends on.
///
/// They are code, and are not run here: a word that may mean more than the package's own directory does mean it.
struct PackageManifest {
    let directory: String

    /// What may make the build depend on something outside of the directory; without the white space that may stand
    /// within it.
    private static let wideWords = [
        "environment", "gitInformation", "@_", "package(path", "package(name", "lugin", "systemLibrary", "pkgConfig",
        "unsafeFlags", "binaryTarget", "../",
    ].map { Array($0.utf8) }

    /// A Boolean value that indicates whether a build depends on nothing but what lies in the directory.
    ///
    /// A manifest for a version of the tools may count in place of `Package.swift`, so all of them must say so.
    var keepsToItsFolder: Bool {
        guard let names = try? listDirectory(directory), names.contains("Package.swift") else { return false }
        let manifests = names.filter {
            $0 == "Package.swift" || $0.hasPrefix("Package@swift-") && $0.hasSuffix(".swift")
        }
        return manifests.allSatisfy { name in
            guard let text = try? readFile("\(directory)/\(name)"), let code = CommentFilter.code(of: text),
                Self.importsNothingElse(code)
            else { return false }
            // Everything up to the space is white space or a control character.
            let squeezed = code.filter { $0 > UInt8(ascii: " ") }
            return !Self.wideWords.contains { Self.holds($0, squeezed) }
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
}
