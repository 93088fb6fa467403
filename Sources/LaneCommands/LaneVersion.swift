/// The version of `lane`, as `lane release` writes it.
enum LaneVersion {
    static let current = "0.1.0"

    /// Where it is kept, for machines that get it from there; the README's address.
    static let repository = "https://\(placeholder)/tracer.git"

    /// The host of addresses that are nobody's (RFC 2606).
    static let placeholder = "example.com"
}
