import Expressions
import LaneFixtures
import LaneModel
import TestSupport
import Testing
import Text

@Suite struct MutationTests {
    private static let seeds: [String] =
        BuiltInLanes.sources.map { $0.text(in: 0..<$0.bytes.count) } + [
            "matrix: { os: [a, b], n: [1, 2], exclude: [{ os: a }], include: [{ os: c, x: true }] }\nneeds: [b]\nif: env.A == 'x' && !success()\nsteps:\n  - id: a\n    run: |\n      cat <<END\n      ${{ matrix.os }}\n      END\n    retry: { times: 2, backoff: 1s }\n  - parallel: [{ lane: c, parameters: { v: \"${{ matrix.n }}\" } }, { run: [x, '${{ steps.a.y }}'] }]\n",
            "include: _x.yml\nprivate: true\ndotenv: [.env, { path: y, optional: true }]\nenv: { A: \"${{ format('{0}', env.B) }}\" }\nsecrets: [T]\nsteps: []\non-failure: [{ run: z }]\n",
        ]

    private static let pieces = [
        "${{ ", " }}", "parameters.version", "steps.", "'", "\"", ": ", "- ", "\n", "  ", "needs", "lane", "a", "b",
        "c", "[", "]", "{", "}", "&x ", "*x",
        "true", "1.10", "!", "&&", "==", "(", ")", "include: _x.yml\n", "matrix", "type: enum", "if: ", "|", "ü", "\t",
        "parallel",
    ]

    /// Lane files in which pieces of lane files were inserted, removed and repeated.
    private static let mutants = Generator<[String]> { source in
        var texts: [String] = []
        for _ in 0..<4 {
            var text = Array(seeds[Int(source.draw(upTo: UInt64(seeds.count - 1)))])
            for _ in 0..<source.draw(upTo: 6) {
                let place = Int(source.draw(upTo: UInt64(text.count)))
                let other = min(text.count, place + Int(source.draw(upTo: 12)))
                switch source.draw(upTo: 2) {
                case 0: text.removeSubrange(place..<other)
                case 1: text.insert(contentsOf: pieces[Int(source.draw(upTo: UInt64(pieces.count - 1)))], at: place)
                default: text.insert(contentsOf: text[place..<other], at: place)
                }
            }
            texts.append(String(text))
        }
        return texts
    }

    @Test func noLaneFileTraps() {
        checkProperty("lane files survive mutation", Self.mutants, cases: 400) { texts in
            let names = ["a", "b", "c", "_x"]
            let sources = zip(names, texts).map { SourceFile(path: "Lanes/\($0).yml", text: $1) }
            let checked = LaneFiles.check(sources, with: .samples)
            for diagnostic in checked.diagnostics.all {
                guard let span = diagnostic.span, span.range.upperBound <= span.file.bytes.count else { return false }
                guard diagnostic.message.first?.isUppercase != true, !diagnostic.message.hasSuffix(".") else {
                    return false
                }
            }
            _ = DiagnosticText().text(for: checked.diagnostics)
            guard !checked.diagnostics.hasErrors else { return true }
            for lane in checked.lanes where !lane.isPrivate {
                let sources = PlanSources(dotEnv: { file, _ in SourceFile(path: file.path, text: "") })
                guard let plan = try? Planner(checked, sources: sources).plan(lane: lane.name) else { continue }
                let context = EvaluationContext(parameters: ["version": .string("1.0.0")], matrix: ["os": .string("a")])
                for (index, step) in plan.steps.enumerated() {
                    guard step.schedule.dependencies.allSatisfy({ $0 < index }),
                        plan.groups.indices.contains(step.group)
                    else {
                        return false
                    }
                    _ = try? step.task.settings.evaluate(in: context)
                    _ = try? step.schedule.condition?.evaluate(in: context)
                }
                guard Set(plan.steps.map(\.id)).count == plan.steps.count else { return false }
            }
            return true
        }
    }
}
