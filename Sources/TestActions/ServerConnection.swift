package import Files
package import HTTP
package import Processes

/// A connection to the files on a web server, with a directory for requests and answers.
package struct ServerConnection: Sendable {
    package let files: WebFiles
    /// A private directory, which exists as long as the connection.
    package let scratch: ScratchDirectory

    /// Opens a connection, unless the text is a path on this machine.
    ///
    /// - Parameters:
    ///   - isFile: A Boolean value that indicates whether the address is that of a file. The connection is to its
    ///     directory.
    ///   - environment: The environment with the value of the header `Authorization`.
    package init?(
        to text: String, isFile: Bool = false, processes: any ProcessRunner, environment: [String: String],
        cancellation: Cancellation
    ) throws(WebError) {
        guard var address = try WebAddress.address(in: text) else { return nil }
        if isFile { address = try address.directory() }
        do throws(FileError) {
            scratch = try ScratchDirectory(for: environment, prefix: "lane-scratch-http")
        } catch {
            throw .file(error)
        }
        files = WebFiles(
            at: address, curl: Curl(processes: processes, environment: environment, directory: scratch.path),
            cancellation: cancellation)
    }
}
