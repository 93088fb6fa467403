import Archives
import Expressions
import TestSupport
import Testing

@testable import Packaging

@Suite struct ResourceBundleTests {
    @Test func bundlesThatAProgramNamesGoWithIt() throws {
        let products = try TemporaryDirectory()
        let program = try products.write("\0/build/App_Data.resources\0", to: "app")
        try products.write("hi", to: "App_Data.resources/Data/a.txt")
        try products.write("old", to: "App_Gone.resources/b.txt")
        try products.write("no folder", to: "App_File.resources")
        let entries = try ResourceBundles.entries(of: program, below: "bin")
        let files = entries.filter { $0.content != .directory }.map(\.path)
        #expect(files == ["bin/App_Data.resources/Data/a.txt"])
    }
}
