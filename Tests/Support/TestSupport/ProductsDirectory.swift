import OperatingSystem

/// The directory of the test bundle, in which SwiftPM puts all products.
package let productsDirectory: String = {
    let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
    var directory = resolvedPath(bundle) ?? bundle
    while directory.contains(".xctest") { directory = parentDirectory(directory) }
    return directory
}()
