import ActionFixtures
import Actions
import Expressions
import LaneModel
import TestSupport
import Testing
import Text
import Versioning

/// Tests the dates that `bump` writes beside the version.
@Suite(.startsPrograms) struct ReleaseDateTests {
    /// A file that names the version and the date of its release.
    struct DatedFile: Sendable {
        let path: String
        let text: String
        /// The text with the next version and the date of its release.
        let expected: String
        let message: String?
    }

    private static let citation = "cff-version: 1.2.0\ntitle: Shape\n"

    private static let datedFiles = [
        DatedFile(
            path: "CITATION.cff", text: citation + "version: 0.1.0\ndate-released: 2024-01-05 # first\n",
            expected: citation + "version: 0.2.0\ndate-released: 2026-11-21 # first\n",
            message: "CITATION.cff:3: 0.1.0 → 0.2.0, 4: 2024-01-05 → 2026-11-21"),
        DatedFile(
            path: "CITATION.cff", text: "date-released: '2024-01-05'\nversion: \"0.1.0\"\n" + citation,
            expected: "date-released: '2026-11-21'\nversion: \"0.2.0\"\n" + citation,
            message: "CITATION.cff:1: 2024-01-05 → 2026-11-21, 2: 0.1.0 → 0.2.0"),
        DatedFile(
            path: "CITATION.cff",
            text: citation + "version: 0.1.0\nreferences:\n  - version: 0.1.0\n    date-released: 2024-01-05\n",
            expected: citation + "version: 0.2.0\nreferences:\n  - version: 0.1.0\n    date-released: 2024-01-05\n",
            message: "CITATION.cff:3: 0.1.0 → 0.2.0"),
        // The version is that of another release, so the date is, too.
        DatedFile(
            path: "CITATION.cff", text: citation + "version: 0.0.9\ndate-released: 2024-01-05\n",
            expected: citation + "version: 0.0.9\ndate-released: 2024-01-05\n", message: nil),
        DatedFile(
            path: "CITATION.cff", text: citation + "version: 0.1.0\ndate-released: 05/2024-01\n",
            expected: citation + "version: 0.2.0\ndate-released: 05/2024-01\n",
            message: "CITATION.cff:3: 0.1.0 → 0.2.0"),
        DatedFile(
            path: "CITATION.cff", text: citation + "version: 0.1.0\ndate-released: 2026-11-21\n",
            expected: citation + "version: 0.2.0\ndate-released: 2026-11-21\n",
            message: "CITATION.cff:3: 0.1.0 → 0.2.0"),
        DatedFile(
            path: "codemeta.json",
            text:
                #"{ "name": "Shape", "dateCreated": "2020-01-01", "dateModified": "2024-01-05", "version": "0.1.0" }"#,
            expected:
                #"{ "name": "Shape", "dateCreated": "2020-01-01", "dateModified": "2026-11-21", "version": "0.2.0" }"#,
            message: "codemeta.json:1: 2024-01-05 → 2026-11-21, 1: 0.1.0 → 0.2.0"),
        DatedFile(
            path: "codemeta.json",
            text: #"{ "name": "Shape", "dateModified": "2024-01-05T10:00:00+01:00", "version": "0.1.0" }"#,
            expected: #"{ "name": "Shape", "dateModified": "2026-11-21T00:00:00Z", "version": "0.2.0" }"#,
            message: "codemeta.json:1: 2024-01-05T10:00:00+01:00 → 2026-11-21T00:00:00Z, 1: 0.1.0 → 0.2.0"),
        DatedFile(
            path: "codemeta.json",
            text: #"{ "name": "Shape", "dateModified": "2024-01-05 10:00", "version": "0.1.0" }"#,
            expected: #"{ "name": "Shape", "dateModified": "2024-01-05 10:00", "version": "0.2.0" }"#,
            message: "codemeta.json:1: 0.1.0 → 0.2.0"),
        DatedFile(
            path: "version.json", text: #"{ "version": "0.1.0", "dateModified": "2024-01-05" }"#,
            expected: #"{ "version": "0.2.0", "dateModified": "2024-01-05" }"#,
            message: "version.json:1: 0.1.0 → 0.2.0"),
    ]

    @Test(arguments: datedFiles.indices) func theDateBesideTheVersionChangesWithIt(index: Int) throws {
        let file = Self.datedFiles[index]
        let fixture = try GitFixture.package()
        try fixture.write(file.text, to: file.path)
        try fixture.commit("Cite", at: 1_700_000_100)
        try fixture.git("tag 0.1.0")
        let version: [String: Value] = ["version": .string("0.2.0")]
        let forecast = BumpAction().forecast(of: Settings(version), in: fixture.context(), after: [:])
        let events = RecordedEvents()
        try fixture.run(BumpAction(), version, events: events)
        #expect(try fixture.read(file.path) == file.expected)
        #expect(events.messages.first { $0.hasPrefix("\(file.path):") && $0.contains("→") } == file.message)
        for line in try fixture.git("diff -U0 --no-color -- '\(file.path)'").lines where line.hasPrefix("+d") {
            let isShown = forecast.details.contains { detail in
                if case .edit(file.path, let difference) = detail { difference.contains(line) } else { false }
            }
            #expect(isShown, "\(forecast.details)")
        }
        // The next day changes nothing.
        try fixture.run(BumpAction(), version, now: GitFixture.now + 86_400)
        #expect(try fixture.read(file.path) == file.expected)
    }

    @Test func theDateIsThatOfSourceDateEpoch() throws {
        let fixture = try GitFixture.package()
        try fixture.write(Self.citation + "version: 0.1.0\ndate-released: 2024-01-05\n", to: "CITATION.cff")
        try fixture.commit("Cite")
        try fixture.run(
            BumpAction(),
            [
                "version": .string("0.2.0"),
                "files": .list([.string("CITATION.cff")]),
            ], environment: ["SOURCE_DATE_EPOCH": "1700000000"])
        #expect(
            try fixture.read("CITATION.cff") == Self.citation + "version: 0.2.0\ndate-released: 2023-11-14\n")
    }
}
