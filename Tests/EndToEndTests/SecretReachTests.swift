import OperatingSystem
import TestSupport
import Testing

extension EndToEnd {
    @Suite("A secret reaches only the steps that name it")
    struct SecretReachTests {
        private static let secret = "correct-horse-battery"
        /// Records the programs that start with the secret. `swift` represents compilers, tests and manifests.
        private static let spies = """
            mkdir -p bin Lanes/actions .git/hooks
            spy() {
                printf '#!/bin/sh\\nif env | grep -q correct-horse; then echo "%s $1" >> %s/told; fi\\n%s\\n' \\
                    "$2" "$PWD" "$3" > "$1"
                chmod +x "$1"
            }
            spy bin/swift swift 'exit 1'
            spy Lanes/actions/custom custom '[ "$1" = run ] || echo "{\\"summary\\": \\"x\\", \\"settings\\": []}"'
            for hook in pre-commit commit-msg post-commit reference-transaction post-checkout pre-push; do
                spy .git/hooks/$hook hook 'exit 0'
            done
            : > told
            """

        private static let lanes = [
            "use": """
            secrets: [TOKEN]
            dotenv: [secret.env]
            steps:
              - run: env | grep -c correct-horse > run || true
              - run: env | grep -c correct-horse > named
                secrets: [TOKEN, OTHER]
              - { run: env | grep -c correct-horse > renamed, env: { KEY: "${{ env.TOKEN }}" } }
              - custom: {}
              - { build: {}, continue-on-error: true }
              - { test: {}, continue-on-error: true }
              - { package: {}, continue-on-error: true }
              - run: echo ${{ git.clean }}
            include: [_other]
            """,
            "_other": "secrets: [OTHER]",
            "commits": """
            transaction: true
            secrets: [TOKEN]
            steps:
              - run: echo x > file
              - commit: { message: "feat: x" }
            then:
              - run: git push -q origin HEAD
            """,
            "parameter": """
            parameters: { token: { secret: true, env: TOKEN } }
            steps:
              - run: env | grep -c correct-horse > run || true
              - run: env | grep -c correct-horse > named
                secrets: [TOKEN]
              - { run: env | grep -c correct-horse > renamed, env: { KEY: "${{ parameters.token }}" } }
              - custom: {}
              - { build: {}, continue-on-error: true }
            """,
            "sibling": "steps: [{ run: env | grep -c correct-horse > run || true }, { build: {} }]",
        ]

        @Test("Programs of other steps do not get the secret", arguments: ["use", "commits", "sibling", "parameter"])
        func reach(_ lane: String) async throws {
            let package = try MiniPackage(lanes: Self.lanes)
            try package.directory.write("OTHER=correct-horse-two\n", to: "secret.env")
            let text = """
                git init -q -b main . && printf '.lane\\nbin\\ntold\\nrun\\nnamed\\nrenamed\\n' > .gitignore
                git init -q --bare remote.git; echo remote.git >> .gitignore; git remote add origin remote.git
                git add -A && git commit -qm init
                \(Self.spies)
                export TOKEN=\(Self.secret)
                PATH=$PWD/bin:$PATH "$0" \(lane) --plan > plan 2>&1
                PATH=$PWD/bin:$PATH "$0" \(lane) > output 2>&1; cat output plan
                [ ! -e run ] || cat run; [ ! -e named ] || cat named renamed
                echo told; cat told
                """
            let (run, _) = try await runScript(text, lanes: Self.lanes, in: package)
            #expect(run.text.hasSuffix("told\n"), "\(run.text)\(run.errorText)")
            let counts = [
                "use": "0\n2\n1\ntold\n", "sibling": "0\ntold\n", "commits": "told\n", "parameter": "0\n1\n1\ntold\n",
            ]
            #expect(run.text.hasSuffix(counts[lane] ?? ""), "\(run.text)\(run.errorText)")
            #expect(!run.text.contains(Self.secret) && !run.text.contains("correct-horse-two"))
        }

        @Test("A step with another secret is not up to date, and its digest in the state has a key")
        func upToDate() async throws {
            let lane = """
                secrets: [TOKEN]
                steps:
                  - run: echo "ran with $(printf %s "$TOKEN" | wc -c)"
                    inputs: [Package.swift]
                    secrets: [TOKEN]
                """
            let script = """
                for token in first-token first-token second-token-2; do
                    TOKEN=$token "$0" x | grep -E '^ran|up to date'
                done
                TOKEN=second-token-2 "$0" x --plan | grep -c 'up to date'
                ls -l .lane/key | cut -c1-10
                grep -rqa -e token .lane && echo leaked
                rm .lane/key; TOKEN=second-token-2 "$0" x | grep ^ran
                """
            let (run, _) = try await runScript(script, lanes: ["x": lane])
            let lines = run.text.split(separator: "\n").map { $0.hasPrefix("  ") ? "up to date" : String($0) }
            #expect(
                lines == ["ran with 11", "up to date", "ran with 14", "1", "-rw-------", "ran with 14"],
                "\(run.text)\(run.errorText)")
        }

        @Test("'lane check' reports a secret that a step lacks, and one that more programs get than need it")
        func check() async throws {
            let lane = """
                secrets: [TOKEN, KEY]
                env: { COPY: "${{ env.TOKEN }}" }
                steps:
                  - run: use "${TOKEN}" $KEYS
                  - run: use "$KEY"
                    secrets: [KEY]
                  - run: use
                    secrets: [NONE]
                  - require: { secrets: [KEY] }
                    secrets: [KEY]
                """
            let (run, _) = try await runScript("\"$0\" check; echo status $?", lanes: ["x": lane])
            #expect(run.text.hasSuffix("status 65\n"))
            let messages = run.errorText.split(separator: "\n").filter { $0.contains("Lanes/x.yml:") }
            #expect(
                messages == [
                    "Lanes/x.yml:2:19: warning: 'COPY' passes the secret 'TOKEN' to every step",
                    "Lanes/x.yml:4:5: error: the step uses the secret 'TOKEN', which it does not declare",
                    "Lanes/x.yml:8:15: error: 'secrets' uses 'NONE', which is not a secret of the lane",
                    "Lanes/x.yml:9:5: warning: 'secrets' also passes 'KEY' to git and its hooks",
                ], "\(run.errorText)")
        }
    }
}
