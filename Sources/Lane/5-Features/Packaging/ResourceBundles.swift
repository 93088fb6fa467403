import Archives
import CLibrary
import OperatingSystem

/// The resource bundles of targets. SwiftPM writes them beside the products, and programs search for them in their own
/// directory first, then in the build directory.
enum ResourceBundles {
    private static let endings = [".resources", ".bundle"]

    /// Returns the bundles that a product refers to, without those of earlier builds.
    ///
    /// - Parameter directory: The directory of bundles, or `nil` for that of the product.
    static func bundles(of product: String, in directory: String? = nil) throws(OperationFailure) -> [String] {
        try convertingFileErrors { () throws(FileError) in
            let products = directory ?? parentDirectory(product)
            var bundles: [String] = []
            for name in try listDirectory(products) where endings.contains(where: name.hasSuffix) {
                guard isDirectory("\(products)/\(name)"), try file(product, contains: name) else { continue }
                bundles.append("\(products)/\(name)")
            }
            return bundles
        }
    }

    /// Returns the archive entries of a product's bundles, below a path of the archive.
    static func entries(of product: String, below directory: String) throws(OperationFailure) -> [ArchiveEntry] {
        var entries: [ArchiveEntry] = []
        for bundle in try bundles(of: product) {
            entries += try convertingArchiveErrors(
                of: ArchiveContents.tree(at: bundle).below("\(directory)/\(lastPathComponent(bundle))").entries)
        }
        return entries
    }
}

/// Returns a Boolean value that indicates whether a file contains `text`.
func file(_ path: String, contains text: String) throws(FileError) -> Bool {
    let bytes = try readFile(path)
    let wanted = Array(text.utf8)
    guard let first = wanted.first else { return true }
    return bytes.withUnsafeBufferPointer { bytes in
        guard let base = bytes.baseAddress else { return false }
        var start = 0
        while let found = memchr(base + start, Int32(first), bytes.count - start) {
            let index = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            guard bytes.count - index >= wanted.count else { return false }
            if memcmp(found, wanted, wanted.count) == 0 { return true }
            start = index + 1
        }
        return false
    }
}
