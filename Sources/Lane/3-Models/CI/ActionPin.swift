/// A GitHub action, pinned to the commit of a version.
///
/// The pins are from October 2026. To update a pin, find the commit of the tag with `git ls-remote`, change commit and
/// version here, and run `lane ci generate`.
struct ActionPin: Sendable {
    let name: String
    let commit: String
    let version: String

    static let checkout = ActionPin(
        name: "actions/checkout", commit: "3d3c42e5aac5ba805825da76410c181273ba90b1", version: "v7.0.1")
    static let uploadArtifact = ActionPin(
        name: "actions/upload-artifact", commit: "bbbca2ddaa5d8feaa63e36b76fdaad77386f024f", version: "v7.0.0")
    static let downloadArtifact = ActionPin(
        name: "actions/download-artifact", commit: "3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c", version: "v8.0.1")
    static let attestation = ActionPin(
        name: "actions/attest-build-provenance", commit: "a2bbfa25375fe432b6a289bc6b6cd05ecd0c4c32", version: "v4.1.0")
    static let cacheRestore = ActionPin(name: "actions/cache/restore", commit: cache.commit, version: cache.version)
    static let cacheSave = ActionPin(name: "actions/cache/save", commit: cache.commit, version: cache.version)

    private static let cache = (commit: "55cc8345863c7cc4c66a329aec7e433d2d1c52a9", version: "v6.1.0")
}
