import Testing
import Text

@Suite struct InstantTests {
    @Test(
        arguments: [
            (0, "1970-01-01"), (-1, "1969-12-31"), (951_782_400, "2000-02-29"), (1_000_000_000, "2001-09-09"),
            (1_709_164_800, "2024-02-29"), (4_107_542_400, "2100-03-01"), (-62_135_596_800, "0001-01-01"),
        ] as [(Int64, String)])
    func dateOfUnixTime(seconds: Int64, text: String) {
        #expect(Instant(secondsSince1970: seconds).date.description == text)
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"), (-86_400, "1969-12-31T00:00:00Z"),
            (1_700_000_000, "2023-11-14T22:13:20Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
        ] as [(Int64, String)])
    func descriptionIsISO8601(seconds: Int64, text: String) {
        #expect(Instant(secondsSince1970: seconds).description == text)
    }

    @Test(
        arguments: [
            (1.999, "1970-01-01T00:00:01Z"), (-5, "1970-01-01T00:00:00Z"), (1e300, "9999-12-31T23:59:59Z"),
        ])
    func fractionsAreRoundedDownAndExtremesClamped(seconds: Double, text: String) {
        #expect(Instant(secondsSince1970: seconds).description == text)
    }
}
