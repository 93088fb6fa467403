import Testing

@testable import ToolOutput

@Suite struct FunctionNameTests {
    @Test(arguments: [
        ("HangTests.blockPool(Dispatch.DispatchSemaphore) -> ()", "HangTests.blockPool(_:)"),
        (
            "(1) suspend resume partial function for closure #1 () async -> () in closure #2 (inout Swift.TaskGroup<()>) async -> () in A.b() async -> ()",
            "closure #1 in closure #2 in A.b()"
        ),
        (
            "Bank.Account.transfer(_: Swift.Int, to: Bank.Account, meeting: () -> ()) -> ()",
            "Bank.Account.transfer(_:to:meeting:)"
        ),
        ("XCTest.(test in _3BE257A4)<A where A: XCTest.XCTestCase>((A) -> () throws -> ()) -> ()", "XCTest.test(_:)"),
        ("(extension in App):Lib.List.first(where: (A) -> Swift.Bool) throws -> A?", "Lib.List.first(where:)"),
        ("static App.Run.main() -> ()", "App.Run.main()"),
        ("App.Store.count.getter : Swift.Dictionary<Swift.String, [Swift.Int]>", "App.Store.count.getter"),
        (
            "partial apply forwarder for closure #1 () -> () in App.go(by: (Swift.Int, Swift.Int)) -> ()",
            "closure #1 in App.go(by:)"
        ),
        ("static App.Size.< infix(App.Size, App.Size) -> Swift.Bool", "App.Size.< infix(_:_:)"),
        ("App.f() -> () with unmangled suffix \".30\"", "App.f()"),
        ("", ""), ("(", "("), ("closure #", "closure #"), ("a(b", "a(b"), ("<>)(", "<>)("),
    ])
    func namesHaveLabelsAndNoTypes(_ name: String, _ expected: String) {
        #expect(FunctionName.simplified(name) == expected)
    }

    @Test func symbolsAreDemangled() {
        #expect(FunctionName.readable("$s9HangTests4spinyyF") == "HangTests.spin()")
        #expect(FunctionName.readable("$s9HangTests4spinyyF.30") == "HangTests.spin()")
        #expect(FunctionName.readable("__pthread_mutex_lock@GLIBC_2.2.5") == "__pthread_mutex_lock")
        #expect(FunctionName.readable("swift::runJob(swift::Job*)") == "swift::runJob(swift::Job*)")
        #expect(FunctionName.readable("$snonsense") == "$snonsense")
    }
}
