import LaneModel
import TestSupport
import Testing
import Text

@testable import LaneCommands
@testable import lane

@Suite struct DescriptionGoldenTests {
    @Test func schemaMatchesGolden() throws {
        let text = LaneSchema.json(actions: ActionTable.builtIn.documented)
        let schema = try JSONParser.parse(text)
        for key in LaneKeys.lane { #expect(schema["properties"]?[key.name] != nil) }
        for action in ActionTable.builtIn.schemas {
            let description = schema["definitions"]?["step"]?["properties"]?[action.name]
            #expect(description?["description"]?.string == action.summary)
            let settings = description?["anyOf"]?.array?.first?["properties"]
            for setting in action.settings { #expect(settings?[setting.name]?["description"]?.string == setting.help) }
        }
        expectGolden(text, "schema.json")
    }

    @Test func descriptionsAreOneSentence() {
        let actions = ActionTable.builtIn.schemas
        let settings = actions.flatMap(\.settings) + LaneKeys.lane + LaneKeys.step + LaneKeys.parameter
        let sentences = settings.map(\.help) + actions.map(\.summary)
        for sentence in sentences {
            #expect(sentence.first?.isUppercase == true && !sentence.hasSuffix("."), "\(sentence)")
        }
        for action in actions {
            #expect(Set(action.settings.map(\.name)).count == action.settings.count)
            #expect(action.shorthand.map { action.setting($0) != nil } ?? true)
        }
    }
}
