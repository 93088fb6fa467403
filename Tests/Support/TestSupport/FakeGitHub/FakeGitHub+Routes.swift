import Archives
import Text

extension FakeGitHub.State {
    /// Does what a request asks; `uploads` is the address of the server for uploads and downloads.
    mutating func serve(_ request: LoopbackRequest, uploads: String, keepsHalf: Bool) -> LoopbackAnswer {
        let parts = request.path.split(separator: "/").map(String.init)
        if parts.first == "storage" { return stored(Int(parts.last ?? "") ?? 0) }
        guard request.headers["authorization"] == "Bearer \(FakeGitHub.token)" else {
            return LoopbackAnswer(401, #"{"message":"Bad credentials"}"#)
        }
        guard request.headers["user-agent"]?.isEmpty == false else { return LoopbackAnswer(403, "{}") }
        guard parts.starts(with: ["repos", "ada", "sample"]) else { return Self.missing }
        let rest = Array(parts.dropFirst(3))
        if request.method == "GET", rest.isEmpty { return LoopbackAnswer(200, #"{"full_name":"ada/sample"}"#) }
        if request.method == "GET", rest.starts(with: ["git", "ref", "tags"]) {
            return tag(rest.dropFirst(3).joined(separator: "/"))
        }
        if request.method == "GET", rest.starts(with: ["releases", "tags"]) {
            let tag = rest.dropFirst(2).joined(separator: "/")
            return found(releases.first { $0.tag == tag && !$0.isDraft }, uploads)
        }
        let id = rest.compactMap { Int($0) }.first ?? 0
        switch "\(request.method) " + rest.map({ Int($0) == nil ? $0 : "ID" }).joined(separator: "/") {
        case "GET releases": return page(releases.reversed().map { json($0, uploads) }, request)
        case "POST releases": return make(request, uploads)
        case "PATCH releases/ID": return change(id, request, uploads)
        case "DELETE releases/ID":
            writes += 1
            releases.removeAll { $0.id == id }
            return LoopbackAnswer(204)
        case "GET releases/ID/assets":
            return releases.first { $0.id == id }.map { page($0.assets.map(json), request) } ?? Self.missing
        case "POST releases/ID/assets": return upload(id, request, keepsHalf)
        case "GET releases/assets/ID":
            return LoopbackAnswer(302, headers: ["Location": "\(uploads)/storage/\(id)"])
        case "DELETE releases/assets/ID":
            writes += 1
            for index in releases.indices { releases[index].assets.removeAll { $0.id == id } }
            return LoopbackAnswer(204)
        case "GET pulls": return page(pullRequests.filter { isAsked($0, by: request) }.map(json), request)
        case "POST pulls": return propose(request)
        case "PATCH pulls/ID":
            guard let index = pullRequests.firstIndex(where: { $0.number == id }) else { return Self.missing }
            writes += 1
            let node = try? JSONParser.parse(request.body)
            pullRequests[index].title = node?["title"]?.string ?? pullRequests[index].title
            pullRequests[index].body = node?["body"]?.string ?? pullRequests[index].body
            return LoopbackAnswer(200, json(pullRequests[index]))
        default: return Self.missing
        }
    }

    private static let missing = LoopbackAnswer(404, #"{"message":"Not Found"}"#)

    private func tag(_ name: String) -> LoopbackAnswer {
        guard let object = tags[name] else { return Self.missing }
        return LoopbackAnswer(200, #"{"ref":"refs/tags/\#(name)","object":{"sha":"\#(object)","type":"tag"}}"#)
    }

    private func found(_ release: FakeGitHub.Release?, _ uploads: String) -> LoopbackAnswer {
        release.map { LoopbackAnswer(200, json($0, uploads)) } ?? Self.missing
    }

    private func stored(_ id: Int) -> LoopbackAnswer {
        let asset = releases.flatMap(\.assets).first { $0.id == id }
        return asset.map { LoopbackAnswer(200, body: $0.content) } ?? Self.missing
    }

    private func page(_ elements: [String], _ request: LoopbackRequest) -> LoopbackAnswer {
        let number = request.query("page").flatMap { Int($0) } ?? 1
        let rest = elements.dropFirst((number - 1) * pageSize)
        var headers: [String: String] = [:]
        if rest.count > pageSize, let host = request.headers["host"] {
            headers["Link"] = "<http://\(host)\(request.path)?per_page=100&page=\(number + 1)>; rel=\"next\""
        }
        return LoopbackAnswer(200, "[\(rest.prefix(pageSize).joined(separator: ","))]", headers: headers)
    }

    private mutating func make(_ request: LoopbackRequest, _ uploads: String) -> LoopbackAnswer {
        let node = try? JSONParser.parse(request.body)
        let tag = node?["tag_name"]?.string ?? ""
        if releases.contains(where: { $0.tag == tag && !$0.isDraft }) {
            return LoopbackAnswer(
                422, #"{"message":"Validation Failed","errors":[{"code":"already_exists","field":"tag_name"}]}"#)
        }
        writes += 1
        var release = FakeGitHub.Release(id: takeID(), tag: tag)
        apply(node, to: &release)
        releases.append(release)
        return LoopbackAnswer(201, json(release, uploads))
    }

    private mutating func change(_ id: Int, _ request: LoopbackRequest, _ uploads: String) -> LoopbackAnswer {
        guard let index = releases.firstIndex(where: { $0.id == id }) else { return Self.missing }
        writes += 1
        apply(try? JSONParser.parse(request.body), to: &releases[index])
        return LoopbackAnswer(200, json(releases[index], uploads))
    }

    private func apply(_ node: JSONNode?, to release: inout FakeGitHub.Release) {
        release.name = node?["name"]?.string ?? release.name
        release.body = node?["body"]?.string ?? release.body
        release.isDraft = node?["draft"]?.bool ?? release.isDraft
        release.isPrerelease = node?["prerelease"]?.bool ?? release.isPrerelease
        release.latest = node?["make_latest"]?.string ?? release.latest
    }

    private mutating func upload(_ id: Int, _ request: LoopbackRequest, _ keepsHalf: Bool) -> LoopbackAnswer {
        guard let index = releases.firstIndex(where: { $0.id == id }), let name = request.query("name") else {
            return Self.missing
        }
        if releases[index].assets.contains(where: { $0.name == name }) {
            return LoopbackAnswer(
                422,
                #"{"message":"Validation Failed","errors":[{"resource":"ReleaseAsset","code":"already_exists","field":"name"}]}"#
            )
        }
        if isImmutable, !releases[index].isDraft {
            return LoopbackAnswer(422, #"{"message":"Cannot upload assets to an immutable release."}"#)
        }
        writes += 1
        let content = keepsHalf ? Array(request.body.prefix(request.body.count / 2)) : request.body
        let asset = FakeGitHub.Asset(id: takeID(), name: name, content: content, isUploaded: !keepsHalf)
        releases[index].assets.append(asset)
        return LoopbackAnswer(201, json(asset))
    }

    private func isAsked(_ pullRequest: FakeGitHub.PullRequest, by request: LoopbackRequest) -> Bool {
        pullRequest.isOpen == (request.query("state") == "open") && pullRequest.base == request.query("base")
    }

    private mutating func propose(_ request: LoopbackRequest) -> LoopbackAnswer {
        let node = try? JSONParser.parse(request.body)
        let (branch, base) = (node?["head"]?.string ?? "", node?["base"]?.string ?? "")
        if pullRequests.contains(where: { $0.isOpen && $0.branch == branch && $0.base == base }) {
            return LoopbackAnswer(
                422,
                #"{"message":"Validation Failed","errors":[{"message":"A pull request already exists for ada:\#(branch)."}]}"#
            )
        }
        writes += 1
        let made = FakeGitHub.PullRequest(
            number: takeID(), branch: branch, base: base, title: node?["title"]?.string ?? "",
            body: node?["body"]?.string ?? "")
        pullRequests.append(made)
        return LoopbackAnswer(201, json(made))
    }

    // MARK: JSON

    private func json(_ pullRequest: FakeGitHub.PullRequest) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("number", pullRequest.number)
            writer.member("title", pullRequest.title)
            // As the real one does.
            writer.member("body", pullRequest.body.replacing("\n", with: "\r\n"))
            writer.member("html_url", "https://github.com/ada/sample/pull/\(pullRequest.number)")
            writer.object("head") { writer in
                writer.member("ref", pullRequest.branch)
                writer.object("repo") { $0.member("full_name", "ada/sample") }
            }
        }
        return writer.text
    }

    private func json(_ release: FakeGitHub.Release, _ uploads: String) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("id", release.id)
            writer.member("tag_name", release.tag)
            writer.member("name", release.name)
            // As the real one does.
            writer.member("body", release.body.replacing("\n", with: "\r\n"))
            writer.member("draft", release.isDraft)
            writer.member("prerelease", release.isPrerelease)
            writer.member("immutable", isImmutable && !release.isDraft)
            writer.member("html_url", "https://github.com/ada/sample/releases/\(release.id)")
            writer.member(
                "upload_url", "\(uploads)/repos/ada/sample/releases/\(release.id)/assets{?name,label}")
        }
        return writer.text
    }

    private func json(_ asset: FakeGitHub.Asset) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("id", asset.id)
            writer.member("name", asset.name)
            writer.member("size", asset.content.count)
            writer.member("state", asset.isUploaded ? "uploaded" : "starter")
            if tellsDigests, asset.isUploaded { writer.member("digest", "sha256:\(SHA256.digest(of: asset.content))") }
        }
        return writer.text
    }
}
