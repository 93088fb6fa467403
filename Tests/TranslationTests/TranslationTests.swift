import TestSupport
import Testing
import Translation

@Suite struct TranslationTests {
    private func translation(_ tool: ForeignTool, _ text: String) -> Translation {
        tool.translate(text, at: tool.files[0], reserved: ["check", "history"])
    }

    /// Returns all lane files and the gaps outside lanes as one text.
    private func shown(_ tool: ForeignTool, _ text: String) -> String {
        let translation = translation(tool, text)
        let lanes = translation.lanes.map { "== \($0.name).yml\n\($0.text(from: tool, path: tool.files[0]))" }
        let left = translation.gapsByReason.map { reason, gaps in
            "== left: \(reason) (\(gaps.map { "\($0.line)" }.joined(separator: ", ")))\n"
        }
        return (lanes + left).joined()
    }

    @Test(arguments: Examples.all)
    func eachToolTranslates(tool: ForeignTool, text: String) {
        expectGolden(shown(tool, text), "\(tool.rawValue).txt")
    }

    @Test(arguments: Examples.all)
    func incompleteFilesAreTranslated(tool: ForeignTool, text: String) {
        for end in text.indices {
            let lanes = translation(tool, String(text[..<end])).lanes
            #expect(Set(lanes.map(\.name)).count == lanes.count)
            #expect(lanes.allSatisfy { !$0.name.isEmpty })
        }
    }

    @Test func namesOfSubcommandsGetANumber() {
        let lanes = translation(.make, "check: check-2\n\t./check\ncheck-2:\n\ttrue\n").lanes
        #expect(lanes.map(\.name) == ["check-2", "check-2-2"])
        #expect(
            lanes[0].text(from: .make, path: "Makefile") == """
                # Translated from line 1 of Makefile.
                needs:
                  - check-2-2
                steps:
                  - run: ./check

                """)
    }

    @Test func anAliasIsAnotherNameOfItsLane() throws {
        let lanes = translation(.just, "alias t := test\nalias check := test\ntest NAME:\n  echo {{NAME}}\n").lanes
        #expect(lanes.map(\.name) == ["test"])
        let text = try #require(lanes.first).text(from: .just, path: "justfile")
        #expect(
            text == """
                # Translated from line 3 of justfile.
                aliases:
                  - t
                  - check-2
                parameters:
                  name:
                    type: string
                    position: 1
                    required: true
                steps:
                  - run: 'echo ${{ parameters.name }}'

                """)
        let other = translation(.just, "alias t := other::test\n")
        #expect(other.gaps.map(\.reason) == ["an alias of a recipe of another file"])
    }

    /// Brackets in strings, regular expressions and comments close nothing.
    @Test(arguments: [
        #"text[/^\[(.*?)(?=^## \[|\z)/m]"#, #"sh("echo \"(\"")"#, "sh 'echo [' # and (", "half = (count / 2) # (",
        "@a = b =~ /\\/(/",
    ])
    func aLaneFollowsAFunction(_ line: String) {
        let text =
            "class_name = if x = 1\n1\nend\nif y = 2\nend\ndef helper\n  \(line)\nend\nlane :test do\n  run_tests\nend\n"
        #expect(translation(.fastlane, text).lanes.map(\.name) == ["test"])
    }

    /// fastlane gets the options of a lane that it must run.
    @Test func aLaneWithRubyPassesItsOptions() throws {
        let lane = try #require(
            translation(.fastlane, "lane :ship do |options|\n  kind = options[:a_kind] || options[:a_kind]\nend\n")
                .lanes.first)
        #expect(
            lane.text(from: .fastlane, path: "Fastfile") == """
                # Translated from line 1 of Fastfile.
                # This lane calls 'fastlane', because it has no equivalent for:
                #   line 2: Ruby that is not the call of an action
                #     kind = options[:a_kind] || options[:a_kind]
                parameters:
                  a-kind:
                    type: string
                    position: 1
                    default: ''
                steps:
                  - run: 'fastlane ship a_kind:${{ parameters.a-kind }}'

                """)
    }

    @Test(arguments: ["group: 'dev', doc: 'It (a).'", "group('dev'), doc('It (a).')"])
    func attributesHaveTwoForms(_ attributes: String) {
        #expect(
            shown(.just, "[\(attributes)]\na:\n  true\n") == """
                == a.yml
                # Translated from line 2 of justfile.
                summary: It (a).
                group: dev
                steps:
                  - run: 'true'

                """)
    }

    @Test func aRecipeOfAnotherFileNeedsJust() {
        let lanes = translation(.just, "mod other\na: other::b\n  true\nc: a\n  true\n").lanes
        #expect(lanes.map { $0.gaps.map(\.reason) } == [["a recipe of another file, or its arguments"], []])
    }

    @Test func theLastOfTwoRecipesRemains() {
        let twice = translation(.just, "a:\n  echo 1\nb: a\n  echo b\na:\n  echo 2\n")
        #expect(twice.lanes.map(\.name) == ["b", "a"])
        #expect(
            twice.lanes.last?.text(from: .just, path: "justfile") == """
                # Translated from line 5 of justfile.
                steps:
                  - run: echo 2

                """)
        #expect(twice.gaps.map(\.reason) == ["a later one with the same name"])
    }

    @Test(arguments: [
        (
            "(build mode 'x y' \"c\")",
            """
            needs:
              - lane: build
                parameters:
                  target: ${{ parameters.mode }}
                  flags: x y c
            steps:
              - run: echo a

            """
        ),
        ("(build)", "needs:\n  - build\nsteps:\n  - run: echo a\n"),
        (
            "(build mode) && (build 'late') end",
            """
            needs:
              - lane: build
                parameters:
                  target: ${{ parameters.mode }}
            steps:
              - run: echo a
              - lane: build
                parameters:
                  target: late
              - lane: end

            """
        ),
    ])
    func dependenciesGetTheirArguments(_ dependencies: String, _ rest: String) throws {
        let text = "a mode: \(dependencies)\n  echo a\nbuild target='x' *flags:\n  echo\nend:\n  echo\n"
        let lane = try #require(translation(.just, text).lanes.first)
        #expect(
            lane.text(from: .just, path: "justfile") == """
                # Translated from line 1 of justfile.
                parameters:
                  mode:
                    type: string
                    position: 1
                    required: true
                \(rest)
                """)
        #expect(lane.gaps.isEmpty)
    }

    @Test(arguments: ["(build `date`)", "(build", "(build 'a' 'b' 'c')", "(other 'a')", "(build (mode + 'x'))"])
    func unsupportedArgumentsCallTheTool(_ dependencies: String) throws {
        let lane = try #require(translation(.just, "a mode: \(dependencies)\nbuild x y='1':\n  echo\n").lanes.first)
        #expect(!lane.gaps.isEmpty)
    }

    @Test func cyclicValuesCallTheTool() {
        #expect(translation(.just, "a := b\nb := a\nx:\n  echo {{a}}\n").lanes.map(\.gaps.count) == [1])
        #expect(translation(.make, "A = $(B)\nB = $(A)\nx:\n\techo $(A)\n").lanes.map(\.gaps.count) == [1])
    }

    @Test(arguments: [
        (ForeignTool.just, "x:\n  echo {{{{a}}\n", "echo {{a}}"),
        (.just, "v := 'a' + \"b\"\nx:\n  echo {{v}}\n", "echo ab"),
        (.just, "x:\n  -false\n", "false"),
        (.make, "x:\n\techo $$HOME\n", "echo $HOME"),
        (.make, "V ?= 1\nx:\n\techo $(V)\n", "echo ${V:-1}"),
        (.make, "D := $(shell date)\nx:\n\techo $(D)\n", "echo $(date)"),
        (.make, "x: ; echo inline\n", "echo inline"),
        (.make, ".PHONY: x.y\nx.y:\n\ttrue\n", "'true'"),
        (.fastlane, "lane :x do |options|\n  sh(\"echo #{options[:A_b]}\")\nend\n", "echo ${{ parameters.a-b }}"),
        (.fastlane, "lane :x do\n  sh 'ls # all' # names\nend\n", "'ls # all'"),
    ])
    func commandsAreTheSame(tool: ForeignTool, text: String, command: String) throws {
        let lane = try #require(translation(tool, text).lanes.first)
        #expect(lane.gaps.isEmpty)
        let lines = lane.text(from: tool, path: tool.files[0]).split(separator: "\n").map(String.init)
        #expect(lines.contains { $0 == "  - run: \(command)" || $0 == "  - run: '\(command)'" }, "\(lines)")
    }

    @Test(arguments: [
        (ForeignTool.just, "x:\n  echo {{env_var('A')}} 'b'\n", "'env_var('A')' beside single quotes"),
        (.just, "x:\n  #!/usr/bin/env python3\n  print('{{os()}}')\n", "values in such a script"),
        (.make, "x:\n\techo $(wildcard *.c)\n", "the function '$(wildcard *.c)'"),
        (.make, "ifdef CI\nV = 1\nendif\nx:\n\techo $(V)\n", "the variable 'V', which depends on a condition"),
        (.just, "set positional-arguments\nx:\n  echo $1\n", "this setting"),
        (.make, "include a.mk\nx:\n\techo $(V)\n", "the variable 'V', which another file may define"),
        (.make, ".ONESHELL:\nx:\n\tcd a\n\tls\n", "one shell for all lines"),
        (.make, "x: out.o\n\ttrue\nout.o:\n\tcc\n", "a prerequisite that is a file"),
        (.fastlane, "lane :x do\n  gym(scheme: 'A')\nend\n", "the action 'gym', or these settings of it"),
        (.fastlane, "lane :x do\n  if ENV['CI']\n    sh 'ls'\n  end\nend\n", "a block of Ruby"),
    ])
    func partsWithoutAnEquivalentCallTheTool(tool: ForeignTool, text: String, reason: String) throws {
        let lane = try #require(translation(tool, text).lanes.first)
        #expect(Set(lane.gaps.map(\.reason)) == [reason])
        #expect(lane.text(from: tool, path: "f").hasSuffix("steps:\n  - run: \(tool.rawValue) x\n"))
    }
}
