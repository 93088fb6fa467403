import Arguments
import Testing

@testable import LaneCommands
@testable import lane

/// Rules for the descriptions of all commands.
@Suite struct CommandLineRuleTests {
    private static let specs = [Program.lane.spec()] + Program.lane.spec().subcommands

    @Test(arguments: specs.map(\.name))
    func everyOptionIsExplainedOnce(name: String) throws {
        let spec = try #require(Self.specs.first { $0.name == name })
        #expect(spec.abstract.hasSuffix("."))
        let names = spec.parameters.map { "\($0.isPositionalForTests)\($0.name)" }
        #expect(Set(names).count == names.count)
        for parameter in spec.parameters {
            #expect(parameter.help.hasSuffix("."), "\(parameter.name)")
            #expect(parameter.help.first?.isUppercase == true, "\(parameter.name)")
        }
    }
}

extension ParameterSpec {
    fileprivate var isPositionalForTests: Bool {
        if case .positional = kind { true } else { false }
    }
}
