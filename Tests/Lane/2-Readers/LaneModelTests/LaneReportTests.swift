import LaneFixtures
import LaneModel
import TestSupport
import Testing
import Text

/// Tests of complete error reports.
@Suite struct LaneReportTests {
    @Test func allErrorsAreReportedAtOnce() {
        let checked = LaneFiles.check(
            laneSources([
                "deploy": """
                sumary: Put it up
                parameters:
                  target: { type: enum, values: [staging, production], default: prodution }
                needs: [biuld]
                steps:
                  - run: tool upload --to ${{ parameters.taget }}
                    if: ${{ parameters.target = 'production' }}
                  - bump: 1.10
                    timout: 5m
                  - tset: {}
                """,
                "build": "steps:\n\t- build: {}\n",
                "list": "steps: [{ run: x }]",
                "bad name": "steps: [{ run: x }]",
                "a": "needs: [b]",
                "b": "needs: [c]",
                "c": "needs: [a]\nsteps:\n  - lane: a\n  - lane: c\n",
                "ship": "include: [_comon.yml]\nsteps: []\n",
                "_common": "summary: x\ninclude: _more\nsecrets: [TOKEN]\n",
                "_more": "include: _common.yml\n",
            ]), with: .samples, reserved: ["list"])
        expectGolden(DiagnosticText().text(for: checked.diagnostics), "report.txt")
    }

    @Test func longCyclesAreAbbreviated() {
        var files: [String: String] = [:]
        for index in 0..<2000 { files["l\(index)"] = "needs: [l\((index + 1) % 2000)]" }
        let diagnostics = LaneFiles.check(laneSources(files), with: .samples).diagnostics
        #expect(diagnostics.all.count == 1)
        #expect(
            diagnostics.all.first?.message
                == "lanes need each other in a cycle: l0 → l1 → l2 → l3 → l4 → l5 → … → l1996 → l1997 → l1998 → l1999 → l0"
        )
    }
}
