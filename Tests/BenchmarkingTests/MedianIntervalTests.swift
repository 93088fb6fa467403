import TestSupport
import Testing

@testable import Benchmarking

@Suite("The median and its interval")
struct MedianIntervalTests {
    @Test(
        "The limits have the ranks and the level of the binomial distribution",
        arguments: [
            (1, 1, 1, 0.0), (3, 1, 3, 0.75), (5, 1, 5, 0.9375), (6, 1, 6, 0.96875), (10, 2, 9, 0.978515625),
            (20, 6, 15, 0.958610534667969), (100, 40, 61, 0.964799799782),
        ])
    func ranks(_ count: Int, _ low: Int, _ high: Int, _ level: Double) throws {
        let summary = try #require(MedianInterval(of: (1...count).map { Double($0) }.shuffled()))
        #expect(summary.interval == Double(low)...Double(high))
        #expect(abs(summary.level - level) < 1e-9)
        #expect(summary.median == Double(count + 1) / 2)
    }

    @Test("Without measurements there is no median")
    func none() { #expect(MedianInterval(of: []) == nil) }

    @Test("The interval contains the true median as often as its level says")
    func coverage() {
        var random = SplitMix64(seed: 7)
        let hits = (0..<2_000).count { _ in
            // A skewed distribution with the median 0.25.
            let values = (0..<10).map { _ in
                let value = Double.random(in: 0..<1, using: &random)
                return value * value
            }
            return MedianInterval(of: values)?.interval.contains(0.25) == true
        }
        // 97.85 % of 2,000 are 1,957, with a standard deviation of 6.5.
        #expect((1_931...1_983).contains(hits))
    }

    @Test(
        "A change is slower, acceptable or unclear",
        arguments: [(1.2, "slower"), (1.0, "acceptable"), (1.05, "unclear")])
    func verdict(_ factor: Double, _ verdict: String) throws {
        let base = (0..<10).map { 100 + Double($0 % 3) }
        let values = base.enumerated().map { $1 * factor * ($0.isMultiple(of: 2) ? 1.01 : 0.99) }
        let comparison = try #require(BenchmarkComparison(values, base: base))
        #expect("\(comparison.verdict(threshold: 5))" == verdict)
        #expect(comparison.interval.contains(comparison.percent))
    }

    @Test("A growing load during the runs does not change the comparison")
    func drift() throws {
        let base = (1...10).map { Double($0) }
        let comparison = try #require(BenchmarkComparison(base.map { $0 * 1.1 }, base: base))
        #expect(abs(comparison.percent - 10) < 1e-9 && comparison.verdict(threshold: 5) == .slower)
        #expect(BenchmarkComparison([1], base: [0]) == nil)
    }

    @Test("Lines with units and signs")
    func text() throws {
        let summary = try #require(MedianInterval(of: (1...6).map { Double($0) * 1e-3 }))
        #expect(
            BenchmarkText.line("x", summary, .time)
                == "x: median 3.50 ms, 96.9 % interval 1.00 ms to 6.00 ms, 6 runs")
        let comparison = try #require(
            BenchmarkComparison([0.9, 1, 1, 1, 1.1, 1.2], base: [1, 1, 1, 1, 1, 1]))
        #expect(
            BenchmarkText.line(comparison, threshold: 5)
                == "change: +0.00 %, 96.9 % interval -10.00 % to +20.00 %, threshold 5 %")
        for (value, text) in [(12.3456, "12.346 s"), (0.0000123, "12.3 µs"), (0.0123, "12.30 ms")] {
            #expect(BenchmarkText.text(value, .time) == text)
        }
        for (value, text) in [
            (999.0, "999 instructions"), (1_234_567, "1.235 M instructions"), (2.5e9, "2500.0 M instructions"),
        ] {
            #expect(BenchmarkText.text(value, .instructions) == text)
        }
        #expect(BenchmarkText.text(10_066_330, .memory) == "9.60 MiB")
    }

    @Test("The counts of perf and callgrind are read")
    func counts() {
        #expect(
            MeasuringTool.count(in: "# started\n\n123456,,instructions:u,900,100.00,,\n", of: .perf) == 123_456)
        #expect(MeasuringTool.count(in: "<not supported>,,instructions:u,0,100.00,,\n", of: .perf) == nil)
        #expect(
            MeasuringTool.count(in: "==12== Events    : Ir\n==12== Collected : 171906\n", of: .callgrind)
                == 171_906)
        #expect(MeasuringTool.count(in: "", of: .callgrind) == nil)
        #expect(MeasuringTool.count(in: "9600\n", of: .gnuTime) == 9_830_400)
        #expect(MeasuringTool.count(in: "Command exited with non-zero status 1\n", of: .gnuTime) == nil)
    }

    @Test("Limits are quantities or multiples of a peer")
    func limits() throws {
        for (text, reference, maximum) in [
            ("1.5 x gzip", .peer("gzip"), 1.5), ("2 x GNU make", .peer("GNU make"), 2),
            ("10 ms", .quantity(.seconds), 0.01),
            ("2 s", .quantity(.seconds), 2), ("110 M instructions", .quantity(.instructions), 110e6),
            ("0.5 MiB", .quantity(.bytes), 524_288),
        ] as [(String, BenchmarkLimit.Reference, Double)] {
            let limit = try #require(BenchmarkLimit(text))
            #expect(limit.reference == reference && limit.maximum == maximum && limit.text == text)
        }
        for text in ["", "10", "much", "0 x a", "-1 ms", "nan s", "1 x", "1 x ", "1 y a", "10 minutes", "inf x a"] {
            #expect(BenchmarkLimit(text) == nil, "\(text)")
        }
    }
}
