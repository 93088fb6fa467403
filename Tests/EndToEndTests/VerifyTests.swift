import OperatingSystem
import TestSupport
import Testing

extension EndToEnd {
    @Suite("A receiver verifies the files of a release")
    struct VerifyTests {
        /// A package whose release is in `dist`, signed by the key of its tags.
        private func released() async throws -> MiniPackage {
            let package = try MiniPackage(keepingBuildsAs: "verified-release")
            try await package.commit()
            let script = """
                mkdir -p .keys && rm -f .keys/* && ssh-keygen -q -t ed25519 -N '' -C ada -f .keys/ada
                echo "ada@example.org $(cut -d' ' -f1,2 .keys/ada.pub)" > .keys/allowed
                mkdir -p .git/info && echo .keys/ >> .git/info/exclude
                git config gpg.format ssh; git config user.signingKey "$PWD/.keys/ada"
                git config tag.gpgSign true; git config gpg.ssh.allowedSignersFile "$PWD/.keys/allowed"
                """
            let run = try await capture(
                Command("sh", ["-ec", script], environment: plainEnvironment(), directory: package.path))
            try #require(run.report.succeeded, "\(run.errorText)")
            return package
        }

        private func verify(_ arguments: String..., in package: MiniPackage) async throws -> (
            status: Int32, text: String
        ) {
            let run = try await BuiltTool.lane.run(["verify"] + arguments, in: package.path)
            return (run.report.status, run.text + run.errorText)
        }

        @Test("The built-in release is signed, verified and rebuilt from its tag", .enabled(if: hasTool("ssh-keygen")))
        func builtIn() async throws {
            let package = try await released()
            let release = try await BuiltTool.lane.run(["release", "0.2.0"], in: package.path)
            #expect(release.report.status == 0, "\(release.text)\(release.errorText)")
            let platform = try #require(
                try listDirectory("\(package.path)/dist").first { $0.hasSuffix(".tar.gz") }?.dropLast(7))
            let commit = String(try await package.git("rev-parse", "--short=12", "HEAD").dropLast())
            let all = try await verify("dist", "--rebuild", in: package)
            #expect(all.status == 0)
            let text = redacted(all.text, replacing: [commit: "<commit>", String(platform): "<base>"])
            let key = text.split(separator: "SHA256:").last?.prefix { $0 != ")" } ?? ""
            #expect(
                text.split(separator: key).joined(separator: "<key>") == """
                    ✔ checksums    4 files in '<base>.sha256' and '<base>.tar.gz.sha256'
                    ✔ signature    '<base>.sha256' is signed by ada@example.org (ED25519 SHA256:<key>)
                    ✔ provenance   mini 0.2.0 from the commit <commit>, which has the tag '0.2.0'
                    ✔ contents     12 files of '<base>.tar.gz' in '<base>.cdx.json' and '<base>.spdx.json'
                    ✔ rebuild      '<base>.tar.gz' has the same bytes

                    ✔ 'dist' is verified: 4 files

                    """)
            let wrong = try await verify("dist/\(platform).tar.gz", "--tag", "0.1.0", in: package)
            #expect(wrong.status == 1)
            #expect(wrong.text.contains("'\(platform).intoto.json' is of version 0.1.0") == false)
            #expect(
                wrong.text.contains(
                    "✘ provenance   '\(platform).intoto.json' is of version 0.2.0, not of the tag '0.1.0'\n"),
                "\(wrong.text)")
            #expect(wrong.text.hasSuffix("\n✘ 'dist/\(platform).tar.gz' is not verified: 1 problem\n"))
        }

        @Test("A file, a directory and a URL have one verdict and one exit status", .enabled(if: hasTool("curl")))
        func targets() async throws {
            let package = try MiniPackage()
            for name in ["a", "b"] { try package.directory.write("\(name)\n", to: "files/\(name).txt") }
            let sum = Command(
                "sh", ["-c", "cd files; sha256sum *.txt > SHA256SUMS"], environment: plainEnvironment(),
                directory: package.path)
            try #require(try await capture(sum).report.succeeded)
            let path = package.path
            let server = try LoopbackServer { request in
                let bytes = try? readFile("\(path)/files\(request.path)")
                return bytes.map { LoopbackAnswer(200, body: $0) } ?? LoopbackAnswer(404)
            }
            server.start()
            defer { server.stop() }
            for target in ["files", "files/a.txt", "files/SHA256SUMS", "\(server.address)/", "\(server.address)/a.txt"]
            {
                let run = try await verify(target, in: package)
                #expect(run.status == 0, "\(run.text)")
                #expect(run.text.contains("\n✔ '\(target)' is verified: "), "\(run.text)")
            }
            try package.directory.write("changed\n", to: "files/a.txt")
            for target in ["files", "files/a.txt", "files/SHA256SUMS", "\(server.address)/", "\(server.address)/a.txt"]
            {
                let run = try await verify(target, in: package)
                #expect(run.status == 1)
                #expect(run.text.hasPrefix("✘ checksums    'a.txt' was changed: expected the SHA-256 "), "\(run.text)")
                #expect(run.text.hasSuffix("\n✘ '\(target)' is not verified: 1 problem\n"), "\(run.text)")
            }
            #expect(try await verify("files/b.txt", in: package).status == 0)
            let sums = "\(String(repeating: "0", count: 64))  a\u{1B}[31mb.bin\n"
            try package.directory.write(sums, to: "files/other.sha256")
            let colored = try await verify("files/other.sha256", in: package)
            #expect(colored.text.hasPrefix("✘ checksums    'ab.bin' is missing, but "), "\(colored.text)")
            for (target, status) in [("none", 66), ("\(server.address)/none", 66), ("ftp://host.test/x", 64), ("", 64)]
            {
                #expect(try await verify(target, in: package).status == status, "\(target)")
            }
            let bare = try await verify("github.com/example/shape/releases/tag/1.0.0", in: package)
            #expect(bare.status == 66 && bare.text.contains("\nhint: begin a URL with https://"), "\(bare.text)")
            for path in ["./none.zip", "dist-1.2/none.zip"] {
                #expect(try await verify(path, in: package).text.contains("hint") == false)
            }
            #expect(try await verify(in: package).status == 64)
            #expect(try await verify("files", "--allowed-signers", "none", in: package).status == 66)
        }
    }
}
