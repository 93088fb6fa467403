import CBuild

/// The version of `lane`, which `lane release` updates.
enum LaneVersion {
    static let current = "0.1.0"

    /// The address of the repository that the build defines, or empty if it defines none.
    static let repository = LANE_REPOSITORY
}

extension World {
    /// The address of the repository that `lane` was built from, or empty if it is unknown. CI jobs fetch `lane` from
    /// it. `ci/lane` sets the variable for builds without an address.
    var laneRepository: String {
        LaneVersion.repository.isEmpty ? environment["LANE_REPOSITORY"] ?? "" : LaneVersion.repository
    }
}
