import Expressions
package import LaneModel

extension SettingSchema {
    /// The setting of actions that build the package in one of the configurations.
    package static let buildConfiguration = SettingSchema(
        "configuration", .choice(["debug", "release"]), "The build configuration")

    /// The setting of actions that run `swift build`.
    package static let buildArguments = SettingSchema(
        "arguments", .list(.string), "Additional arguments for 'swift build'")
}
