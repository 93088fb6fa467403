import Archives
import Testing

@Suite struct CivilDateTests {
    @Test(
        arguments: [
            (0, "1970-01-01"), (-1, "1969-12-31"), (951_782_400, "2000-02-29"), (1_000_000_000, "2001-09-09"),
            (1_709_164_800, "2024-02-29"), (4_107_542_400, "2100-03-01"), (-62_135_596_800, "0001-01-01"),
        ] as [(Int64, String)])
    func knownDays(seconds: Int64, text: String) {
        #expect(CivilDate(secondsSince1970: seconds).description == text)
    }
}
