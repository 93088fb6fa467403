# Prints about 100 MB of output of a tool, with a different name in each line. Nearly all tests pass, except in the kind
# "failures". The variable `kind` is xctest, swift-testing, prints, failures or xcodebuild.
function case_lines(class, number, name) {
    name = "Some" class "Tests.testThatItWorks" number
    print "Test Case '" name "' started at 2026-11-20 22:21:21.458"
    if ((class * 31 + number) % 997) {
        printf "Test Case '%s' passed (0.%03d seconds)\n", name, number % 1000
        return
    }
    print "/src/Demo/Tests/DemoTests/Some.swift:7: error: " name " : XCTAssertEqual failed: (\"3\") is not equal to (\"4\") - sum"
    print "Test Case '" name "' failed (0.001 seconds)"
}
BEGIN {
    if (kind == "xctest") for (class = 0; class < 1450; class++) {
        print "Test Suite 'Some" class "Tests' started at 2026-11-20 22:21:21.331"
        for (number = 0; number < 500; number++) case_lines(class, number)
        print "Test Suite 'Some" class "Tests' passed at 2026-11-20 22:21:22.660"
        print "\t Executed 500 tests, with 0 failures (0 unexpected) in 1.327 (1.327) seconds"
    }
    if (kind == "failures") {
        for (class = 0; class < 2000; class++) {
            print "Test Suite 'Some" class "Tests' started at 2026-11-20 22:21:21.331"
            for (number = 0; number < 100; number++) {
                name = "Some" class "Tests.testThatItWorks" number
                print "Test Case '" name "' started at 2026-11-20 22:21:21.458"
                if (number % 10) print "/src/Demo/Tests/DemoTests/Some.swift:" number ": error: " name " : XCTAssertEqual failed: (\"3\") is not equal to (\"4\") - sum " number
                printf "Test Case '%s' %s (0.%03d seconds)\n", name, number % 10 ? "failed" : "passed", number
            }
            print "Test Suite 'Some" class "Tests' failed at 2026-11-20 22:21:22.660"
            print "\t Executed 100 tests, with 90 failures (0 unexpected) in 1.327 (1.327) seconds"
        }
        print "\342\227\207 Test run started."
        for (suite = 0; suite < 2000; suite++) for (number = 0; number < 100; number++) {
            name = "function" number "OfSuite" suite "()"
            print "\342\227\207 Test " name " started."
            if (number % 10) {
                print "\342\234\230 Test " name " recorded an issue at Some.swift:" number ":9: Expectation failed: (value \342\206\222 3) == 4"
                print "\342\206\263 sum " number
                printf "\342\234\230 Test %s failed after 0.%03d seconds with 1 issue.\n", name, number
            } else printf "\342\234\224 Test %s passed after 0.%03d seconds.\n", name, number
        }
        print "\342\234\230 Test run with 200000 tests in 0 suites failed after 9.004 seconds with 180000 issues."
    }
    if (kind == "swift-testing") {
        print "\342\227\207 Test run started."
        for (suite = 0; suite < 17000; suite++) {
            for (number = 0; number < 50; number++) print "\342\227\207 Test function" number "OfSuite" suite "() started."
            for (number = 0; number < 50; number++) printf "\342\234\224 Test function%dOfSuite%d() passed after 0.%03d seconds.\n", number, suite, number
        }
        print "\342\234\224 Test run with 850000 tests in 0 suites passed after 9.004 seconds."
    }
    if (kind == "prints") for (number = 0; number < 5700; number++) {
        print "Test Case 'A.test" number "' started at 2026-11-20 22:21:21.331"
        for (row = 0; row < 200; row++) print "2026-11-20T22:21:21+0000 info: request " row " done in " row * 7 " ms: status ok, path /api/v1/things/" number
        print "Test Case 'A.test" number "' passed (0.1 seconds)"
    }
    if (kind == "xcodebuild") {
        print "Command line invocation:\n    /Applications/Xcode.app/Contents/Developer/usr/bin/xcodebuild -scheme App build\n"
        for (number = 0; number < 30; number++) flags = flags " -I/Users/me/Library/Developer/Xcode/DerivedData/App/Build/Intermediates.noindex/App.build/Debug/Module" number
        for (file = 0; file < 27000; file++) {
            print "CompileC /Users/me/Derived/File" file ".o /Users/me/App/Sources/App/File" file ".m normal arm64 objective-c (in target 'App' from project 'App')"
            print "    cd /Users/me/App\n    /Applications/Xcode.app/Contents/Developer/usr/bin/clang -x objective-c" flags " -c File" file ".m\n"
            print "SwiftCompile normal arm64 /Users/me/App/Sources/App/File" file ".swift (in target 'App' from project 'App')\n    cd /Users/me/App\n"
        }
        print "** BUILD SUCCEEDED **"
    }
}
