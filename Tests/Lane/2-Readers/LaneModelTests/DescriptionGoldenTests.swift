import LaneModel
import TestSupport
import Testing
import Text

@Suite struct DescriptionGoldenTests {
    @Test func schemaMatchesGolden() throws {
        let text = LaneSchema.json()
        let schema = try JSONParser.parse(text)
        for key in LaneKeys.lane { #expect(schema["properties"]?[key.name] != nil) }
        for action in ActionSchema.builtIn {
            let description = schema["definitions"]?["step"]?["properties"]?[action.name]
            #expect(description?["description"]?.string == action.summary)
            let settings = description?["anyOf"]?.array?.first?["properties"]
            for setting in action.settings { #expect(settings?[setting.name]?["description"]?.string == setting.help) }
        }
        expectGolden(text, "schema.json")
    }

    @Test func descriptionsAreOneSentence() {
        let settings = ActionSchema.builtIn.flatMap(\.settings) + LaneKeys.lane + LaneKeys.step + LaneKeys.parameter
        let sentences = settings.map(\.help) + ActionSchema.builtIn.map(\.summary)
        for sentence in sentences {
            #expect(sentence.first?.isUppercase == true && !sentence.hasSuffix("."), "\(sentence)")
        }
        for action in ActionSchema.builtIn {
            #expect(Set(action.settings.map(\.name)).count == action.settings.count)
            #expect(action.shorthand.map { action.setting($0) != nil } ?? true)
        }
    }
}
