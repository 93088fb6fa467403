package import Diagnostics
import Expressions
import YAML

/// A YAML file with settings and without expressions, such as the configuration of an action.
package enum SettingsFile {
    /// Reads the settings by their schema. Returns `nil` and the errors if the file is invalid.
    package static func read(
        _ source: SourceFile, _ schema: ActionSchema
    ) -> (settings: Settings?, diagnostics: Diagnostics) {
        var (node, diagnostics) = YAMLParser.parse(source)
        guard let node else { return (nil, diagnostics) }
        var decoder = SettingDecoder(scope: ExpressionScope())
        let template = decoder.decode(schema, node)
        diagnostics.add(decoder.diagnostics)
        template.forEachExpression { diagnostics.error("an expression has no value here", at: $0.span) }
        guard !diagnostics.hasErrors, let settings = try? template.evaluate(in: EvaluationContext()) else {
            return (nil, diagnostics)
        }
        return (settings, diagnostics)
    }
}
