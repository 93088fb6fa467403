/// The variables that override `--scratch-path` of SwiftPM. The image of the Dockerfile sets one.
package let hostVariables = ["SWIFTPM_BUILD_DIR": ".build/elsewhere", "TOOLCHAINS": "swift"]
