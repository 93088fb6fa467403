import LaneModel
import Text

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
