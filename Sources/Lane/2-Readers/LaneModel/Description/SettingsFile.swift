import Expressions
package import Text
import YAML

/// A YAML file with settings but without expressions, such as the configuration of an action.
package enum SettingsFile {
    /// Returns the settings of a file that conforms to a schema, or `nil` and the errors if the file is invalid.
    package static func read(
        _ source: SourceFile, _ schema: ActionSchema
    ) -> (settings: Settings?, diagnostics: Diagnostics) {
        var (node, diagnostics) = YAMLParser.parse(source)
        guard let node else { return (nil, diagnostics) }
        var decoder = SettingDecoder(scope: ExpressionScope())
        let template = decoder.decode(schema, node)
        diagnostics.add(decoder.diagnostics)
        template.forEachExpression { diagnostics.error("expressions are not allowed in this file", at: $0.span) }
        guard !diagnostics.hasErrors, let settings = try? template.evaluate(in: EvaluationContext()) else {
            return (nil, diagnostics)
        }
        return (settings, diagnostics)
    }
}
