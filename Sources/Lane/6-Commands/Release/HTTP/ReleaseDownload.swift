import OperatingSystem
import Packaging
import Text

/// A download of a release, or of one file with the files that verify it.
struct ReleaseDownload: Sendable {
    /// The downloaded files.
    struct Files: Sendable, Equatable {
        /// The name of the requested file, or `nil` if all files of the release were requested.
        let file: String?
        /// The tag in the URL, or `nil` if there is none.
        let tag: String?
    }

    let curl: Curl
    let environment: [String: String]
    /// The directory for the files.
    let directory: String

    /// Downloads a release or a file: `…/releases/tag/TAG` and `…/releases/latest` are releases on GitHub, a URL that ends
    /// with a slash is a directory with `SHA256SUMS`, and any other a file.
    func fetch(_ url: String) throws(OperationFailure) -> Files {
        let url = String(url.prefix { $0 != "?" && $0 != "#" }).replacing(" ", with: "%20")
        guard let origin = WebOrigin(url), ["http", "https"].contains(origin.scheme) else {
            throw OperationFailure(status: ExitStatus.usage.rawValue, "expected an http or https URL, found '\(url)'")
        }
        if let mark = url.range(of: "/releases/tag/") {
            let tag = String(url[mark.upperBound...])
            _ = try fetchRelease("tags/\(tag)", in: String(url[..<mark.lowerBound]), on: origin)
            return Files(file: nil, tag: URLPath.decoded(tag[...]))
        }
        if let mark = url.range(of: "/releases/latest"), url[mark.upperBound...].allSatisfy({ $0 == "/" }) {
            let tag = try fetchRelease("latest", in: String(url[..<mark.lowerBound]), on: origin)
            return Files(file: nil, tag: tag)
        }
        let slash = url.utf8.lastIndex(of: UInt8(ascii: "/")).map { url.utf8.index(after: $0) } ?? url.endIndex
        let (base, name) = (String(url[..<slash]), URLPath.decoded(url[slash...]))
        let marked = base.range(of: "/releases/download/").map { String(base[$0.upperBound...].dropLast()) }
        let tag = marked.flatMap { $0.isEmpty ? nil : URLPath.decoded($0[...]) }
        if name.isEmpty {
            try fetchDirectory(base)
            return Files(file: nil, tag: tag)
        }
        try require(name, at: url)
        for companion in ReleaseCompanions.names(of: name) { _ = try fetch(companion, beside: base) }
        try fetchSignatures(beside: base)
        return Files(file: name, tag: tag)
    }

    /// Downloads the files of a release on GitHub, and returns its tag.
    ///
    /// - Parameter release: The end of the path in the API.
    private func fetchRelease(
        _ release: String, in repository: String, on origin: WebOrigin
    ) throws(OperationFailure) -> String? {
        let path = repository.parts(separatedBy: "://").last?.split(separator: "/", maxSplits: 1).last ?? ""
        // CI sets the variable to the API of its own server, at the address of the server or below its host.
        let given = environment["GITHUB_API_URL"].flatMap { url in
            WebOrigin(url).flatMap { $0 == origin || $0.host == "api.\(origin.host)" ? url : nil }
        }
        let base = given ?? (origin.host == "github.com" ? "https://api.github.com" : "\(origin.address)/api/v3")
        let url = "\(base)/repos/\(path)/releases/\(release)"
        let answer = try send(HTTPRequest(url: url, headers: Self.headers, followsRedirects: true))
        let node = answer.isSuccess ? try? JSONParser.parse(answer.body) : nil
        guard let node, let assets = node["assets"]?.array else {
            throw Self.failure(url, answer, Self.hint(for: answer, of: release))
        }
        for asset in assets {
            guard let name = asset["name"]?.string, let url = asset["browser_download_url"]?.string else { continue }
            try require(name, at: url)
        }
        return node["tag_name"]?.string
    }

    /// Returns the hint for an answer of GitHub's API without a release.
    private static func hint(for answer: HTTPResponse, of release: String) -> String? {
        if RateLimit.pause(asked: answer, now: 0) != nil {
            return
                "GitHub limits requests without a token; try again later, or download the files and pass their directory"
        }
        guard answer.status == 404 else { return nil }
        // The latest release is never a prerelease.
        let other = release == "latest" ? "; if it has only prereleases, pass …/releases/tag/TAG" : ""
        return "if the repository is private, download the files and pass their directory\(other)"
    }

    private static let headers = [("Accept", "application/vnd.github+json"), ("User-Agent", "lane")]

    /// Downloads a directory: the files that `SHA256SUMS` lists.
    private func fetchDirectory(_ base: String) throws(OperationFailure) {
        let sums = ChecksumFile.commonName
        guard try fetch(sums, beside: base) else {
            throw OperationFailure(
                status: ExitStatus.fileNotFound.rawValue,
                "'\(base)' has no \(sums)\nhint: pass the URL of a file, or of a release on GitHub")
        }
        for name in ReleaseCompanions.names(listedIn: "\(directory)/\(sums)") { _ = try fetch(name, beside: base) }
        try fetchSignatures(beside: base)
    }

    /// Downloads the signatures of all downloaded checksum files.
    private func fetchSignatures(beside base: String) throws(OperationFailure) {
        for name in ReleaseCompanions.signatures(in: directory) { _ = try fetch(name, beside: base) }
    }

    private func require(_ name: String, at url: String) throws(OperationFailure) {
        switch try fetch(name, at: url) {
        case .file: break
        case .page:
            throw OperationFailure(
                status: ExitStatus.fileNotFound.rawValue,
                "'\(url)' is a web page, not the file '\(name)'\n"
                    + "hint: pass the URL of a file, or of a release: https://github.com/OWNER/NAME/releases/tag/TAG")
        case .none: throw OperationFailure(status: ExitStatus.fileNotFound.rawValue, "there is no '\(url)'")
        }
    }

    /// Downloads a file in a directory if it exists.
    private func fetch(_ name: String, beside base: String) throws(OperationFailure) -> Bool {
        try fetch(name, at: base + URLPath.encoded(name)) == .file
    }

    private enum Content {
        case file
        /// A web page instead of the file: servers send one for a login, and some for a missing file.
        case page
        case none
    }

    /// Downloads a file. A server that refuses to answer, for example because of too many requests, may have a signature
    /// that must be checked.
    private func fetch(_ name: String, at url: String) throws(OperationFailure) -> Content {
        guard ReleaseCompanions.isFileName(name) else {
            throw .refused(["'\(name)' is no file name"])
        }
        let path = "\(directory)/\(name)"
        let answer = try send(
            HTTPRequest(url: url, headers: [("User-Agent", "lane")], output: path, followsRedirects: true))
        let isPage =
            answer.header("content-type")?.lowercased().hasPrefix("text/html") == true
            && ![".html", ".htm"].contains(where: name.lowercased().hasSuffix)
        if answer.isSuccess, !isPage { return .file }
        try convertingFileErrors(of: removeTree(path))
        if answer.isSuccess { return .page }
        guard [404, 410].contains(answer.status) else { throw Self.failure(url, answer) }
        return .none
    }

    private func send(_ request: HTTPRequest) throws(OperationFailure) -> HTTPResponse {
        switch try curl.send(request) {
        case .success(let answer): return answer
        case .failure(let failure):
            throw OperationFailure("'\(request.url)' could not be downloaded: \(failure.reason)")
        }
    }

    private static func failure(_ url: String, _ answer: HTTPResponse, _ hint: String? = nil) -> OperationFailure {
        let isMissing = answer.status == 404
        let message =
            isMissing
            ? "there is no '\(url)'" : "'\(url)' could not be downloaded: the server answered \(answer.status)"
        return OperationFailure(
            status: (isMissing ? ExitStatus.fileNotFound : .failed).rawValue,
            message + (hint.map { "\nhint: \($0)" } ?? ""))
    }
}
