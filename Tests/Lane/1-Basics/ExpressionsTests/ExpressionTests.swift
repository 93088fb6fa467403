import Expressions
import Testing
import Text

@Suite struct ExpressionTests {
    private static let context = EvaluationContext(
        parameters: [
            "version": .string("1.2.3"), "publish": .bool(true), "jobs": .integer(4), "none": .null,
            "tags": .list([.string("a"), .string("b")]), "with-dash": .string("d"),
        ],
        environment: ["HOME": "/home/me", "EMPTY": ""],
        steps: ["build": ["path": .string("x/y"), "files": .list([.string("one"), .integer(2)])]],
        matrix: ["swift": .string("6.2"), "os": .map([("name", .string("linux")), ("arm", .bool(false))])],
        git: DeferredValues { ["branch": .string("main"), "clean": .bool(true)] },
        ci: ["active": .bool(false)])

    @Test(arguments: [
        ("true", Value.bool(true)), ("null", .null), ("12", .integer(12)), ("-3", .integer(-3)), ("''", .string("")),
        ("'it''s'", .string("it's")), ("'}}'", .string("}}")), ("(1)", .integer(1)),
        ("parameters.version", .string("1.2.3")), ("parameters['version']", .string("1.2.3")),
        ("parameters.with-dash", .string("d")), ("parameters.none", .null), ("env.HOME", .string("/home/me")),
        ("env.NOT_THERE", .null), ("steps.build.path", .string("x/y")), ("steps['build']['path']", .string("x/y")),
        ("steps.build.files[1]", .integer(2)), ("steps.build.files[9]", .null), ("steps.build.other", .null),
        ("steps.skipped.path", .null), ("matrix.os.name", .string("linux")), ("matrix.os.arm", .bool(false)),
        ("parameters['ver' ]", .null), ("git.branch == 'main'", .bool(true)), ("ci.active", .bool(false)),
        ("1 == 1", .bool(true)), ("'a' == 'A'", .bool(false)), ("1 != 2", .bool(true)),
        ("null == parameters.none", .bool(true)),
        ("'x' != null", .bool(true)), ("1 < 2", .bool(true)), ("2 <= 2", .bool(true)), ("1 > 2", .bool(false)),
        ("parameters.jobs >= 4", .bool(true)), ("!true", .bool(false)), ("!!true", .bool(true)),
        ("!(1 == 2)", .bool(true)),
        ("true && false", .bool(false)), ("true || false", .bool(true)), ("true || false && false", .bool(true)),
        ("(true || false) && false", .bool(false)), ("1 == 1 && 2 == 2", .bool(true)),
        // The right operand is not evaluated; its type would be wrong.
        ("false && 1", .bool(false)), ("true || 'x'", .bool(true)), ("false && env.NOT_THERE == 1", .bool(false)),
        ("contains('haystack', 'st')", .bool(true)), ("contains('x', '')", .bool(true)),
        ("contains('a\r\nb', '\n')", .bool(true)), ("startsWith('\r\n', '\r')", .bool(true)),
        ("endsWith('x\r\n', '\n')", .bool(true)), ("contains('👍🏽', '👍')", .bool(true)),
        ("contains('über', 'u\u{308}b')", .bool(true)), ("endsWith('x', 'yx')", .bool(false)),
        ("contains(parameters.tags, 'b')", .bool(true)), ("contains(parameters.tags, 'c')", .bool(false)),
        ("startsWith('release/1', 'release/')", .bool(true)), ("endsWith('x.md', '.txt')", .bool(false)),
        ("format('{1}-{0} {{}}', 'a', 2)", .string("2-a {}")), ("join(parameters.tags, ', ')", .string("a, b")),
        ("join(steps.build.files, '')", .string("one2")), ("default(env.NOT_THERE, env.EMPTY, 'z')", .string("z")),
        ("default(env.NOT_THERE, '')", .string("")), ("default('', env.NOT_THERE)", .null),
        ("default(parameters.none, 0)", .integer(0)), ("success()", .bool(true)), ("failure()", .bool(false)),
        ("always()", .bool(true)), (" \t1\n", .integer(1)), ("'ü' == 'u\u{308}'", .bool(true)),
    ]) func evaluates(_ text: String, _ expected: Value) throws {
        #expect(try Expression(condition: text).evaluate(in: Self.context) == expected)
    }

    /// Outputs of commands are strings.
    @Test(arguments: [
        ("100", "== 100"), ("100", "!= 99"), (" 100\n", "== 100"), ("99", "< 100"), ("1000", "> 999"),
        ("100", ">= 100"),
        ("-5", "< 0"), ("007", "== 7"), ("99.5", "> 99"), ("99.5", "<= '100'"),
        ("9223372036854775807", "> 9223372036854775806"),
        ("abc", "!= 'abd'"), ("10", "== '10'"), ("10", "!= '10.0'"),
    ]) func numbersInStringsAreNumbers(_ text: String, _ comparison: String) throws {
        let context = EvaluationContext(environment: ["N": text])
        #expect(try Expression(condition: "env.N \(comparison)").isTrue(in: context))
    }

    @Test func statusFunctionsSeeAFailure() throws {
        var context = EvaluationContext()
        context.hasFailed = true
        #expect(try Expression(condition: "failure() && !success() && always()").isTrue(in: context))
        #expect(try Expression(condition: "failure() || env.A == 'x'").dependsOnStatus)
        #expect(try !Expression(condition: "env.A == 'failure()'").dependsOnStatus)
    }

    @Test func contextsAreKnownBeforeEvaluation() throws {
        #expect(
            try Expression(condition: "git.clean && contains(env.A, matrix['x'])").contexts == [
                .git, .env, .matrix,
            ])
    }

    @Test(arguments: [
        ("", "expected an expression, found nothing"), ("1 +", "unexpected '+'"),
        ("1 2", "expected the end of the expression, found '2'"),
        ("(1", "expected ')', found the end"), ("a", "unknown name 'a'"),
        ("'x", "unterminated string"),
        ("\"x\"", "unexpected '\"'"), ("1.5", "expected a whole number, found '1.5'"),
        ("99999999999999999999", "the number is too large"),
        ("1 == 1 == 1", "expected the end of the comparison, found '=='"),
        ("parameters.", "expected a name after '.', found the end"),
        ("parameters.1", "expected a name after '.', found '1'"), ("env[", "expected a value, found the end"),
        ("lower('x')", "there is no function 'lower'"), ("contains('x')", "'contains' takes 2 arguments, found 1"),
        ("success(1)", "'success' takes 0 arguments, found 1"), ("1 = 1", "unexpected '='"),
        ("env.A & env.B", "unexpected '&'"), ("$x", "unexpected '$'"), ("1 ; 2", "unexpected ';'"),
        ("😀", "unexpected '😀'"),
    ]) func isRefused(_ text: String, _ message: String) {
        #expect { try Expression(condition: text) } throws: { ($0 as? Diagnostic)?.message == message }
    }

    @Test(arguments: [
        ("1 && true", "expected a boolean, found the number 1"),
        ("env.NOT_THERE && true", "expected a boolean, found nothing"),
        ("1 == 'x'", "cannot compare the number 1 with the string 'x'"),
        ("1 == ''", "cannot compare the number 1 with the string ''"),
        ("1 < 'nan'", "'<' compares numbers, found the number 1 and the string 'nan'"),
        ("'a' < 'b'", "'<' compares numbers, found the string 'a' and the string 'b'"),
        ("startsWith(1, 'x')", "expected a string, found the number 1"),
        ("join('x', ',')", "expected a list, found the string 'x'"),
        ("format('{1}', 'a')", "expected placeholders from {0} to {0} in '{1}'"),
        ("format('{', 'a')", "expected placeholders from {0} to {0} in '{'"),
        ("format('{0}', parameters.tags)", "expected a single value, found a list"),
        ("parameters.version.x", "expected a mapping or a list, found the string '1.2.3'"),
        ("parameters.tags['x']", "expected a number in brackets, found the string 'x'"),
        ("env[1]", "expected a string, found the number 1"),
    ]) func evaluationFails(_ text: String, _ message: String) throws {
        let expression = try Expression(condition: text)
        #expect { try expression.evaluate(in: Self.context) } throws: { ($0 as? Diagnostic)?.message == message }
    }

    @Test func aListInAStringHasAHint() throws {
        let expression = try Expression(condition: "parameters.tags")
        #expect {
            try expression.text(in: Self.context)
        } throws: {
            ($0 as? Diagnostic)?.hint == "write \"${{ join(parameters.tags, ' ') }}\""
        }
    }

    @Test func depthAndLengthAreLimited() {
        let hostile = [
            String(repeating: "(", count: 100_000), String(repeating: "!", count: 100_000) + "true",
            "env" + String(repeating: ".a", count: 100_000), String(repeating: "env[", count: 100_000),
            "true" + String(repeating: " && true", count: 100_000), String(repeating: "contains(", count: 100_000),
        ]
        for text in hostile {
            #expect(throws: Diagnostic.self) { try Expression(condition: text) }
        }
    }

    @Test func letAndArgumentsAreContexts() throws {
        var context = EvaluationContext()
        context.values = ["a": .string("x")]
        context.arguments = ["--one", "two"]
        for (text, value) in [
            ("let.a", .string("x")), ("let.none", .null), ("arguments[1]", .string("two")), ("arguments[2]", .null),
            ("contains(arguments, '--one')", .bool(true)), ("join(arguments, ' ')", .string("--one two")),
        ] as [(String, Value)] {
            #expect(try Expression(condition: text).evaluate(in: context) == value, "\(text)")
        }
        #expect(throws: Diagnostic.self) { try Expression(condition: "arguments.one").evaluate(in: context) }
    }
}
