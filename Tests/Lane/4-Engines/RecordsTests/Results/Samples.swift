import Events
import TestSupport

func test(_ number: Int, _ library: TestLibrary = .swiftTesting) -> TestID {
    TestID(library: library, module: "SampleTests", suite: "Suite\(number % 7)", name: "test\(number)()")
}

extension SplitMix64 {
    mutating func happens(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &self) < probability }
}
