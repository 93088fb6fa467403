/// The version of `lane`, which `lane release` updates.
enum LaneVersion {
    static let current = "0.1.0"

    /// The address of the repository that CI jobs fetch `lane` from, as in the README.
    static let repository = "https://\(placeholder)/tracer.git"

    /// The host in placeholder addresses, which is reserved by RFC 2606.
    static let placeholder = "example.com"
}
