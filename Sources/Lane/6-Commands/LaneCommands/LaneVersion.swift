import CBuild

/// The version of `lane`, which `lane release` updates.
package enum LaneVersion {
    static let current = "0.1.0"

    /// The address of the repository that the build defines, or empty if it defines none.
    static var repository: String { String(cString: lane_repository()) }

    /// The version with the commit, such as `0.1.0 (2d31f83601)`, or the version alone if the build defines no commit.
    package static var full: String {
        let commit = String(cString: lane_commit())
        return commit.isEmpty ? current : "\(current) (\(commit))"
    }
}

extension World {
    /// The address of the repository that `lane` was built from, or empty if it is unknown. CI jobs fetch `lane` from
    /// it. `ci/lane` sets the variable for builds without an address.
    var laneRepository: String {
        LaneVersion.repository.isEmpty ? environment["LANE_REPOSITORY"] ?? "" : LaneVersion.repository
    }
}
