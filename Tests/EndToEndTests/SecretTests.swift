import OperatingSystem
import TestSupport
import Testing

extension EndToEnd {
    @Suite("A declared secret does not appear in any output")
    struct SecretTests {
        private static let secret = "hunter2/pass word!"
        private static let key = "-----BEGIN KEY-----\nAAAAbbbbCCCC+/==\nddddEEEEffff\n-----END KEY-----"
        private static let environment = ["TOKEN": secret, "KEY": key, "PIN": "42"]
        private static let lane = """
            secrets: [TOKEN, KEY, PIN]
            steps:
              - run: printf '%s\\n' "$TOKEN"
                secrets: [TOKEN]
              - run: printf %s "${TOKEN%??????????}"; sleep 0.3; printf %s "${TOKEN#????????}"
                secrets: [TOKEN]
              - run: printf '%s\\n' "$KEY"; echo "$KEY" | tail -n 2 >&2
                secrets: [KEY, PIN]
              - run: printf 'user:%s' "$TOKEN" | base64; printf %s "$TOKEN" | base64
                secrets: [TOKEN]
              - run: echo "$TOKEN" | sed 's|/|%2F|; s| |%20|; s|!|%21|'; echo "$TOKEN" | sed 's|/|%2f|; s| |+|; s|!|%21|'
                secrets: [TOKEN]
              - run: echo "$TOKEN" >&2; exit 3
                secrets: [TOKEN]
                continue-on-error: true
              - run: 'echo "Sources/A.swift:1:2: error: $TOKEN"; test 1 = ${{ env.TOKEN }}'
                secrets: [TOKEN]
            on-failure:
              - run: echo "::error::$TOKEN"
                secrets: [TOKEN]
            """

        /// The encodings of the secret, which must not appear. Those in Base64 exclude digits that also contain other bits.
        private static let forms = [
            secret, "hunter2", "AAAAbbbbCCCC+/==", "ddddEEEEffff", "hunter2%2F", "hunter2%2f",
            "aHVudGVyMi9wYXNzIHdvcmQ", "h1bnRlcjIvcGFzcyB3b3JkI",
        ]

        private func expectNone(_ text: String, _ place: String) {
            for form in Self.forms { #expect(!text.contains(form), "\(place) shows \(form): \(text)") }
        }

        @Test(
            "It is masked in terminal, logs, events, reports, errors, plan and history: whole, split, by line and encoded"
        )
        func everywhere() async throws {
            let text = """
                "$0" leak --plan; "$0" leak --plan --json
                "$0" leak --events e --junit j --html h --summary s; echo status $?
                """
            let (run, package) = try await runScript(text, lanes: ["leak": Self.lane], environment: Self.environment)
            #expect(run.text.hasSuffix("status 1\n"), "\(run.text)")
            expectNone(run.text, "standard output")
            expectNone(run.errorText, "standard error")
            #expect(run.text.contains("***\n"))
            for file in ["e", "j", "h", "s"] { expectNone(try package.directory.read(file), file) }
            let files = try await capture(
                Command(
                    "sh", ["-c", "cat $(find .lane -type f)"], environment: plainEnvironment(), directory: package.path)
            )
            #expect(files.text.contains("***"))
            expectNone(files.text, ".lane")
        }

        @Test("A value that is too short to be masked causes a warning")
        func shortValue() async throws {
            let (run, _) = try await runScript("\"$0\" leak", lanes: ["leak": Self.lane], environment: Self.environment)
            #expect(
                run.text.hasPrefix("warning: the value of PIN is too short to be masked in output\n"), "\(run.text)")
        }

        @Test("No process has a secret among its arguments")
        func arguments() async throws {
            let lane = """
                secrets: [TOKEN]
                steps:
                  - secrets: [TOKEN]
                    run: |
                      test -n ${{ env.TOKEN }} && test "$TOKEN" = '${{ env.TOKEN }}'
                      { cat /proc/[0-9]*/cmdline || true; } | tr '\\0' '\\n' > arguments
                """
            let environment = ["TOKEN": "correct-horse-battery"]
            let (run, package) = try await runScript("\"$0\" use", lanes: ["use": lane], environment: environment)
            #expect(run.report.status == 0, "\(run.text)")
            let arguments = try package.directory.read("arguments")
            #expect(arguments.contains("LANE_VALUE_1"))
            #expect(!arguments.contains("correct-horse-battery"))
        }

        @Test("A secret in a command line is an error of the lane file")
        func argumentInLaneFile() async throws {
            let lane = "secrets: [TOKEN]\nsteps:\n  - run: [tool, --token, \"${{ env.TOKEN }}\"]\n"
            let (run, _) = try await runScript("\"$0\" check", lanes: ["use": lane], environment: ["TOKEN": "x"])
            #expect(run.report.status == 65)
            expectGolden(run.text + run.errorText, "secret-argument.txt")
        }

        @Test("A secret that reaches a command line under another name is refused when its step starts")
        func argumentByAnotherName() async throws {
            let use = """
                secrets: [TOKEN]
                env: { X: "${{ env.TOKEN }}" }
                steps:
                  - run: [touch, "got-${{ env.X }}"]
                    continue-on-error: true
                  - lane: sub
                    parameters: { t: "${{ env.TOKEN }}" }
                """
            let sub = """
                private: true
                parameters: { t: string }
                steps: [{ run: [touch, "got-${{ parameters.t }}"] }]
                """
            let (run, _) = try await runScript(
                "\"$0\" use; ls", lanes: ["use": use, "sub": sub], environment: ["TOKEN": "correct-horse"])
            #expect(
                redacted(run.text) == """
                    ▸ touch got-${{ env.X }}
                    ✘ touch got-${{ env.X }}: 'command' would put a secret among a command's arguments, which every user of this machine can read (exit status 65) (forgiven)
                        hint: give it in 'env', and let the program or shell script read the variable

                    ▸ touch got-${{ parameters.t }}
                    ✘ touch got-${{ parameters.t }}: 'command' would put a secret among a command's arguments, which every user of this machine can read (exit status 65)
                        hint: give it in 'env', and let the program or shell script read the variable

                    Steps
                      ✘ touch got-${{ env.X }}         <time>  failed with exit status 65 (forgiven)
                      ✘ touch got-${{ parameters.t }}  <time>  failed with exit status 65

                    ✘ use failed with exit status 65 after <time>
                    Lanes
                    Package.swift
                    Sources
                    Tests

                    """)
        }

        @Test("Secret outputs of an action reach later steps, and are neither shown nor recorded")
        func outputOfAnAction() async throws {
            let package = try MiniPackage()
            try package.directory.write(
                """
                #!/bin/sh
                [ "$1" = describe ] && { echo '{"summary": "tells a place"}'; exit; }
                echo "partly $ENVNAME"
                printf '{"output": {"url": "https://%s.example.com"}}\\n' "$ENVNAME"
                """, to: "Lanes/actions/place", mode: 0o755)
            let lane = """
                secrets: [ENVNAME]
                steps:
                  - { id: u, place: {}, secrets: [ENVNAME] }
                  - run: printf %s ${{ steps.u.url }} | wc -c
                  - run: echo matched
                    if: steps.u.url == 'https://production.example.com'
                """
            let (run, _) = try await runScript(
                "\"$0\" use; cat .lane/logs/use/*.log; grep -rl production .lane", lanes: ["use": lane],
                environment: ["ENVNAME": "production"],
                in: package)
            #expect(
                redacted(run.text) == """
                    ▸ place
                    partly ***

                    ▸ printf %s https://***.example.com | wc -c
                    30

                    ▸ echo matched
                    matched

                    Steps
                      ✔ place                                      <time>
                      ✔ printf %s https://***.example.com | wc -c  <time>
                      ✔ echo matched                               <time>

                    ✔ use passed in <time>
                    matched
                    30
                    partly ***

                    """)
        }

        @Test("On CI the service gets a command to mask each line of a secret before any output")
        func services() async throws {
            let expected = [
                ("GITHUB_ACTIONS", "::add-mask::", "hunter2/pass word!"),
                ("TF_BUILD", "##vso[task.setsecret]", "hunter2/pass word!"),
            ]
            for (variable, command, value) in expected {
                let (run, _) = try await runScript(
                    "\"$0\" leak", lanes: ["leak": Self.lane],
                    environment: Self.environment.merging([variable: "true"]) { $1 })
                let lines = run.text.split(separator: "\n")
                let masks = lines.prefix { $0.hasPrefix(command) }.map { String($0.dropFirst(command.count)) }
                #expect(
                    masks == [
                        "-----BEGIN KEY-----", "-----END KEY-----", "AAAAbbbbCCCC+/==", "ddddEEEEffff", value,
                    ])
                expectNone(lines.dropFirst(masks.count).joined(separator: "\n"), variable)
            }
        }
    }
}
