import LaneFixtures
import Testing

@testable import LaneCommands
@testable import LaneModel
@testable import lane

@Suite struct ActionTableTests {
    @Test("LaneModel refers to actions that exist")
    func actionsThatLanesMention() {
        let mentioned: [BuiltInAction] = [
            .run, .service, .test, .bump, .packaging, .publish, .pullRequest, .require,
        ]
        #expect(mentioned.map(\.name).filter { !ActionTable.builtIn.names.contains($0) } == [])
    }

    @Test("The actions of fixtures are like the built-in ones", arguments: [ActionSchema].samples)
    func samples(_ sample: ActionSchema) throws {
        let action = try #require(ActionTable.builtIn.schemas.first { $0.name == sample.name })
        #expect(sample.shorthand == action.shorthand && sample.isCheck == action.isCheck)
        #expect(sample.outputs?.map(\.name) == action.outputs?.map(\.name))
        #expect(sample.outputs?.map(\.type) == action.outputs?.map(\.type))
        for setting in sample.settings { try expect(setting, toBeLike: #require(action.setting(setting.name))) }
        // A step of a fixture is valid with the built-in action.
        let required = action.settings.filter(\.isRequired).map(\.name)
        #expect(required.filter { sample.setting($0) == nil } == [])
    }

    private func expect(_ sample: SettingSchema, toBeLike setting: SettingSchema) {
        #expect(withoutHelp(sample) == withoutHelp(setting), "\(sample.name)")
    }

    private func withoutHelp(_ setting: SettingSchema) -> SettingSchema {
        SettingSchema(
            setting.name, withoutHelp(setting.type), "", isRequired: setting.isRequired, default: setting.defaultValue)
    }

    private func withoutHelp(_ type: SettingType) -> SettingType {
        switch type {
        case .list(let element): .list(withoutHelp(element))
        case .map(let value): .map(withoutHelp(value))
        case .either(let types): .either(types.map(withoutHelp))
        case .object(let settings): .object(settings.map(withoutHelp))
        default: type
        }
    }
}
