import Archives
import LaneModel
import OperatingSystem
import Text

/// The releases of a repository.
struct GitHubReleases: Sendable {
    let client: GitHubClient
    /// The repository as `owner/name`.
    let repository: String

    private var root: String { "\(client.base)/repos/\(repository)" }

    /// Returns the hash that a tag in the remote repository refers to, or `nil` if there is no such tag.
    func object(ofTag tag: String) throws(OperationFailure) -> String? {
        let response = try client.ask(HTTPRequest(url: "\(root)/git/ref/tags/\(Self.pathText(tag))"))
        guard response.status != 404 else { return nil }
        guard response.isSuccess else { throw client.failure(response, to: "return the tag '\(tag)'") }
        return GitHubClient.json(response)?["object"]?["sha"]?.string
    }

    /// Returns the published release of a tag, or `nil` if there is none.
    func published(_ tag: String) throws(OperationFailure) -> GitHubRelease? {
        let response = try client.ask(HTTPRequest(url: "\(root)/releases/tags/\(Self.pathText(tag))"))
        guard response.status != 404 else { return nil }
        guard response.isSuccess, let release = GitHubRelease(GitHubClient.json(response)) else {
            throw client.failure(response, to: "return the release of '\(tag)'")
        }
        return release
    }

    /// Returns the drafts of a tag. GitHub has no query for drafts, so this lists all releases.
    func drafts(_ tag: String) throws(OperationFailure) -> [GitHubRelease] {
        try client.all("\(root)/releases?per_page=100", "list the releases").compactMap { GitHubRelease($0) }
            .filter { $0.isDraft && $0.tag == tag }
    }

    func assets(of release: GitHubRelease) throws(OperationFailure) -> [GitHubAsset] {
        try client.all("\(root)/releases/\(release.id)/assets?per_page=100", "list the files of the release")
            .compactMap { GitHubAsset($0) }
    }

    /// Creates a draft. Returns `nil` if the result is unknown.
    func makeDraft(_ text: ReleaseText) throws(OperationFailure) -> GitHubRelease? {
        let request = HTTPRequest(method: "POST", url: "\(root)/releases", body: .bytes(text.json(isDraft: true)))
        guard let response = try answer(to: request, about: "a new release") else { return nil }
        guard response.isSuccess, let release = GitHubRelease(GitHubClient.json(response)) else {
            throw client.failure(response, to: "create a release")
        }
        return release
    }

    func change(_ release: GitHubRelease, to json: [UInt8]) throws(OperationFailure) -> GitHubRelease {
        let request = HTTPRequest(method: "PATCH", url: "\(root)/releases/\(release.id)", body: .bytes(json))
        var response = try client.ask(request)
        // A new release may not be available on all servers yet.
        for attempt in 2...4 where response.status == 404 {
            try client.pause(beforeAttempt: attempt, because: "the new release is not available yet")
            response = try client.ask(request)
        }
        guard response.isSuccess, let changed = GitHubRelease(GitHubClient.json(response)) else {
            throw client.failure(response, to: "change the release")
        }
        return changed
    }

    func remove(_ release: GitHubRelease) throws(OperationFailure) {
        try remove("releases/\(release.id)", "remove the empty draft")
    }

    func remove(_ asset: GitHubAsset) throws(OperationFailure) {
        try remove("releases/assets/\(asset.id)", "remove '\(asset.name)'")
    }

    /// Uploads a file. Returns `nil` if the result is unknown.
    func upload(_ file: ReleaseFile, to release: GitHubRelease) throws(OperationFailure) -> GitHubAsset? {
        let request = HTTPRequest(
            method: "POST", url: "\(release.uploadAddress)?name=\(URLPath.encoded(file.name))",
            headers: [("Content-Type", file.contentType)], body: .file(file.path))
        guard let response = try answer(to: request, about: file.name) else { return nil }
        if response.status == 422, GitHubClient.errorText(of: response).contains("already_exists") { return nil }
        guard response.isSuccess, let asset = GitHubAsset(GitHubClient.json(response)) else {
            throw client.failure(response, to: "accept '\(file.name)'")
        }
        return asset
    }

    /// Downloads a file and returns its SHA-256 hash, for servers that do not provide the hash.
    func digest(of asset: GitHubAsset) throws(OperationFailure) -> String {
        let path = "\(client.curl.directory)/download"
        let request = HTTPRequest(
            url: "\(root)/releases/assets/\(asset.id)", headers: [("Accept", "application/octet-stream")],
            output: path)
        let response = try client.ask(request)
        guard response.isSuccess else { throw client.failure(response, to: "return '\(asset.name)'") }
        return try convertingArchiveErrors(of: SHA256.digest(ofFile: path)).description
    }

    /// Returns the requests that create a release, with `ID` for its number.
    ///
    /// - Parameter files: The names of the files to upload.
    static func requests(
        of repository: String, at base: String, tag: String, files: [String], staysDraft: Bool
    ) -> [String] {
        let root = "\(base)/repos/\(repository)"
        let uploads =
            "\(base.replacing("https://api.github.com", with: "https://uploads.github.com"))/repos/\(repository)"
        let assets = "GET \(root)/releases/ID/assets?per_page=100"
        return [
            "GET \(root)/git/ref/tags/\(pathText(tag))", "GET \(root)/releases/tags/\(pathText(tag))",
            "GET \(root)/releases?per_page=100", "POST \(root)/releases", assets,
        ] + files.map { "POST \(uploads)/releases/ID/assets?name=\(URLPath.encoded($0))" }
            + (files.isEmpty ? [] : [assets]) + (staysDraft ? [] : ["PATCH \(root)/releases/ID"])
    }

    // MARK: -

    /// Returns the answer, or `nil` if the result is unknown.
    private func answer(to request: HTTPRequest, about work: String) throws(OperationFailure) -> HTTPResponse? {
        switch try client.once(request) {
        case .answer(let response): return response
        case .unknownEffect(let reason):
            client.note("\(work): \(reason)")
            return nil
        }
    }

    private func remove(_ path: String, _ work: String) throws(OperationFailure) {
        let response = try client.ask(HTTPRequest(method: "DELETE", url: "\(root)/\(path)"))
        guard response.isSuccess || response.status == 404 else { throw client.failure(response, to: work) }
    }

    /// Returns a percent-encoded path. Keeps slashes, which tags may contain.
    private static func pathText(_ text: String) -> String { URLPath.encoded(text, allowing: "-._~/") }
}

/// A release on GitHub.
struct GitHubRelease: Sendable, Equatable {
    let id: Int
    let tag: String
    let name: String
    let body: String
    let isDraft: Bool
    /// A Boolean value that indicates whether the release is immutable, so that GitHub rejects changes.
    let isImmutable: Bool
    /// The URL for uploads, without its URI template.
    let uploadAddress: String
    let page: String

    init?(_ node: JSONNode?) {
        guard let node, let id = node["id"]?.integer, let tag = node["tag_name"]?.string,
            let upload = node["upload_url"]?.string
        else { return nil }
        self.id = id
        self.tag = tag
        name = node["name"]?.string ?? ""
        body = node["body"]?.string ?? ""
        isDraft = node["draft"]?.bool ?? false
        isImmutable = node["immutable"]?.bool ?? false
        uploadAddress = String(upload.prefix { $0 != "{" })
        page = node["html_url"]?.string ?? ""
    }

    /// A Boolean value that indicates whether the text contains the invisible comment of releases that `lane` created.
    var isOurs: Bool { body.contains(ReleaseNames.mark) }
}

/// A file of a release on GitHub.
struct GitHubAsset: Sendable, Equatable {
    let id: Int
    let name: String
    let size: Int
    /// A Boolean value that indicates whether the upload is complete.
    let isUploaded: Bool
    /// The 64 hexadecimal digits of the SHA-256 hash, or `nil` on servers before 2025.
    let sha256: String?

    init?(_ node: JSONNode?) {
        guard let node, let id = node["id"]?.integer, let name = node["name"]?.string, let size = node["size"]?.integer
        else { return nil }
        self.id = id
        self.name = name
        self.size = size
        isUploaded = node["state"]?.string == "uploaded"
        let digest = node["digest"]?.string ?? ""
        sha256 = digest.hasPrefix("sha256:") ? digest.dropFirst(7).lowercased() : nil
    }
}
