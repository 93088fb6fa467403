import Text
import YAML

/// The equivalents of fastlane's actions (https://docs.fastlane.tools/actions/).
enum FastlaneActions {
    /// Returns the steps that are equivalent to a call, or `nil` if the action or one of its values has no equivalent.
    ///
    /// - Parameter directory: The directory of the Fastfile, which is the working directory of scripts.
    static func steps(for call: RubyCall, in directory: String) -> [TranslatedLane.Step]? {
        let keys = Set(call.values.keys)
        func only(_ known: Set<String>) -> Bool { keys.isSubset(of: known) && call.texts.isEmpty }
        switch call.name {
        case "sh":
            guard keys.isSubset(of: ["command", "log"]), let command = call.texts.first ?? call.values["command"] else {
                return nil
            }
            return [.run(.init(text: command, directory: directory.isEmpty ? nil : directory))]
        case "puts", "UI.message", "UI.success", "UI.important", "UI.header":
            guard let text = call.texts.first, !text.contains("'") else { return nil }
            return [.run(.init(text: "echo '\(text)'"))]
        case "spm": return spm(call)
        case "run_tests", "scan": return only(["package_path"]) ? [.action("test", settings: [])] : nil
        case "ensure_git_status_clean": return only([]) ? [.action("require", settings: [("clean", .bool(true))])] : nil
        case "ensure_git_branch":
            guard only(["branch"]) else { return nil }
            return [.action("require", settings: [("branch", .text(call.values["branch"] ?? "master"))])]
        case "swiftlint":
            guard only(["mode", "executable"]), [nil, ":lint", "lint"].contains(call.values["mode"]) else { return nil }
            return [.action("lint", settings: [("tool", .text("swiftlint"))])]
        case "clean_build_artifacts", "xcclean": return only([]) ? [.run(.init(text: "swift package clean"))] : nil
        case "setup_ci", "skip_docs": return []
        case "bundle_install": return [.run(.init(text: "bundle install"))]
        default: return nil
        }
    }

    private static func spm(_ call: RubyCall) -> [TranslatedLane.Step]? {
        guard Set(call.values.keys).isSubset(of: ["command", "configuration"]) else { return nil }
        let configuration: [(name: String, value: YAMLNode)] =
            call.values["configuration"] == "release" ? [("configuration", .text("release"))] : []
        switch call.values["command"] ?? "build" {
        case "build": return [.action("build", settings: configuration)]
        case "test": return [.action("test", settings: configuration)]
        case let command: return [.run(.init(text: "swift package \(command)"))]
        }
    }
}
