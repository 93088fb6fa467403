package import OperatingSystem
package import Text

extension ToolRunner {
    /// Returns the description of a package by `swift package describe`.
    ///
    /// - Parameter options: The options of SwiftPM, such as `--scratch-path`.
    package func describePackage(in directory: String, options: [String] = []) throws(OperationFailure) -> JSONNode {
        try askPackage(["describe", "--type", "json"], options, in: directory)
    }

    /// Returns the evaluated manifest of a package, as `swift package dump-package` prints it.
    package func dumpPackage(
        in directory: String, options: [String] = [], timeout: Duration? = nil
    ) throws(OperationFailure) -> JSONNode {
        try askPackage(["dump-package"], options, in: directory, timeout: timeout)
    }

    private func askPackage(
        _ words: [String], _ options: [String], in directory: String, timeout: Duration? = nil
    ) throws(OperationFailure) -> JSONNode {
        let text = try text("swift", ["package"] + options + words, in: directory, timeout: timeout)
        // SwiftPM may print messages before the description.
        guard let node = try? JSONParser.parse(String(text.drop { $0 != "{" })) else {
            throw OperationFailure("'swift package \(words[0])' did not describe the package")
        }
        return node
    }
}
