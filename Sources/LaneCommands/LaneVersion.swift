/// The version of `lane`, as `lane release` writes it.
enum LaneVersion {
    static let current = "0.1.0"
}
