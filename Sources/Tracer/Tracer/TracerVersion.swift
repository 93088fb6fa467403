/// The version of this library, which `lane release` updates.
public enum TracerVersion {
    /// The version in the format of Semantic Versioning 2.0.0.
    public static let current = "0.1.0"
}
