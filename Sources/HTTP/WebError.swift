package import Files
package import Processes
import Text

/// An error of files on a web server.
package enum WebError: Error, Sendable, Equatable, CustomStringConvertible {
    case file(FileError)
    /// `curl` could not be started.
    case start(SpawnError)
    case cancelled
    case notAnAddress(String, reason: String)
    case noAnswer(String, reason: String, attempts: Int)
    /// The server answered a request with an error.
    case refused(method: String, url: String, status: Int, location: String?, isAuthorized: Bool)
    /// The server does not report when a file was written.
    case undated(String)

    package var description: String {
        switch self {
        case .file(let error): error.description
        case .start(let error):
            "\(error.description)\ncurl is needed for files on a server; 'lane doctor' prints how to install it"
        case .cancelled: "cancelled"
        case .notAnAddress(let text, let reason): "'\(text)' is not an address: \(reason)"
        case .noAnswer(let url, let reason, let attempts):
            "no answer from '\(url)'\(attempts == 1 ? "" : " after \(attempts) attempts"): \(reason)"
                + (reason.contains("certificate")
                    ? "\nhint: the variable 'CURL_CA_BUNDLE' names the file with the certificate of its authority" : "")
        case .refused(let method, let url, let status, let location, let isAuthorized):
            "the server answered \(method) of '\(url)' with \(status)"
                + (Self.hint(method, status, location, isAuthorized).map { "\nhint: \($0)" } ?? "")
        case .undated(let url): "the server does not send 'Date' and 'Last-Modified' for '\(url)'"
        }
    }

    private static func hint(_ method: String, _ status: Int, _ location: String?, _ isAuthorized: Bool) -> String? {
        switch status {
        case 300..<400: return location.map { "it refers to '\($0)'; use that address" }
        case 401, 403:
            return isAuthorized
                ? "it does not accept the value of AUTHORIZATION"
                : "set the variable AUTHORIZATION to the value of that header, such as 'Basic …' or 'Bearer …'"
        case 413: return "the server limits the size of files, as 'client_max_body_size' of nginx does"
        case 404, 405, 409, 501: break
        default: return status >= 500 ? "the log of the server says why, such as a full disk" : nil
        }
        return method == "GET" || method == "HEAD"
            ? nil : "the server must accept PUT, DELETE and MOVE there, as nginx does with its module for WebDAV"
    }
}
