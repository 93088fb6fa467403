import JSON

/// A release as GitHub has it.
struct GitHubRelease: Sendable, Equatable {
    let id: Int
    let tag: String
    let name: String
    let body: String
    let isDraft: Bool
    /// Nothing of it can be changed any more.
    let isImmutable: Bool
    /// Where files are sent, without the template at its end.
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

    /// Whether we made it, which a comment that nobody sees tells. Line ends may have become others on the way.
    var isOurs: Bool { body.contains(Self.mark) }

    static let mark = "<!-- made by lane -->"
}

/// A file of a release as GitHub has it.
struct GitHubAsset: Sendable, Equatable {
    let id: Int
    let name: String
    let size: Int
    /// It came to its end.
    let isUploaded: Bool
    /// 64 hexadecimal digits; servers before 2025 do not tell.
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
