/// The variables of a host or an image that move what SwiftPM builds, in spite of `--scratch-path`; our own image sets one.
package let hostVariables = ["SWIFTPM_BUILD_DIR": ".build/elsewhere", "TOOLCHAINS": "swift"]
