import OperatingSystem
import TestSupport
import Testing

extension EndToEnd {
    /// The obstacles are real ones of the file system, which stop root, too. Each case makes one, runs a release, removes
    /// it and runs the same command again.
    @Suite("A release that cannot be applied changes nothing, or the next run completes it")
    struct FailedApplyTests {
        /// The file `.git/built` indicates that the steps after the commit have run.
        private static let lane = """
            parameters:
              version: { type: version, position: 1, default: auto }
            transaction: true
            steps:
              - require: { clean: true, version: "${{ parameters.version }}" }
              - bump: { version: "${{ parameters.version }}" }
              - changelog: {}
              - run: rm -f old.txt && eval "$BEFORE"
              - commit: {}
              - run: mkdir -p dist && cp Package.swift dist/a.txt && echo > "$ROOT/.git/built" && eval "$MEANWHILE"
              - checksum: { files: [dist/a.txt] }
              - tag: {}
            then:
              - run: echo after >> .git/after

            """

        private static let functions = """
            unset LANE_CHILD
            root=$PWD; export ROOT=$root MEANWHILE=true BEFORE=true
            printf 'dist/\\n.lane/\\n.build/\\n' > .gitignore; echo gone > old.txt
            mkdir -p .build .lane dist "$root.bin"; echo old > dist/old.txt
            git init -q -b main; git add -A; git commit -qm 'Begin'; git tag 0.1.0
            git commit -q --allow-empty -m 'feat: More'
            cp -a "$root" "$root.kept"
            again() { cd /; rm -rf "$root"; cp -a "$root.kept" "$root"; cd "$root"; git update-index -q --refresh; }
            state() {
                git rev-parse HEAD; git for-each-ref; git status --porcelain; cat Sources/Mini/MiniVersion.swift old.txt
                ls dist; git worktree list --porcelain | sed 1d; find .git -name '*.lock'
            }
            fail() { echo "$*"; tail -12 "$root.out"; }
            released() {
                [ "$(git tag --list | tr '\\n' ' ')" = "0.1.0 0.2.0 " ] || fail "$1: tags $(git tag --list | tr '\\n' ' ')"
                [ "$(git rev-parse 0.2.0^{commit})" = "$(git rev-parse main)" ] || fail "$1: not at the tag"
                [ "$(git log --format=%s | head -2 | tr '\\n' ' ')" = "Release 0.2.0 feat: More " ] || fail "$1: commits"
                [ "$(git status --porcelain)" = "" ] || fail "$1: the checkout is changed"
                [ ! -e old.txt ] && [ -e dist/a.txt.sha256 ] && [ -e dist/a.txt ] || fail "$1: files are missing"
                [ "$(cat .git/after)" = after ] || fail "$1: the lane did not continue"
                left=$(find .git -name '*.lock'; ls .git/lane)
                [ "$left" = "$(printf 'lock\\nreleased.json')" ] || fail "$1: leftovers: $left"
            }

            """

        private func expectNoOutput(_ script: String, mounts: Bool = false) async throws {
            let package = try MiniPackage(lanes: ["release": Self.lane])
            let text = Self.functions + script + "\ncd /; rm -rf \"$root.kept\" \"$root.bin\" \"$root.out\"\n"
            let words = ["bash", "-c", text, BuiltTool.lane.path]
            let run = try await capture(
                Command(
                    mounts ? "unshare" : "bash", mounts ? ["-m"] + words : Array(words.dropFirst()),
                    environment: plainEnvironment(), directory: package.path),
                limits: RunLimits(timeout: .seconds(600)))
            #expect(run.report.succeeded, "\(run.errorText)")
            #expect(run.text.isEmpty, "\(run.text)\(run.errorText)")
        }

        /// Runs a release with an obstacle. `early` expects the refusal before the steps after the commit.
        private static let attempt = #"""
            attempt() {
                local name=$1 when=$2 create=$3 remove=$4 before
                again; before=$(state)
                eval "$create" || { fail "$name: not created"; return; }
                "$0" release 0.2.0 > "$root.out" 2>&1; status=$?
                eval "$remove"
                [ $status = 65 ] || fail "$name: status $status"
                grep -q "$5" "$root.out" || fail "$name: another message"
                [ "$(state)" = "$before" ] || fail "$name: changed"
                if [ $when = early ] && [ -e .git/built ]; then fail "$name: too late"; fi
                "$0" release 0.2.0 > "$root.out" 2>&1 || fail "$name: the next run failed with $?"
                released "$name"
            }

            """#

        @Test(
            "Immutable files and directories",
            .enabled(
                if: Privilege.attributes, "needs chattr, a file system with attributes, and the rights to set them"))
        func immutable() async throws {
            try await expectNoOutput(
                Self.attempt + #"""
                    immutable() { attempt "$1" "$2" "chattr $3 '$1'" "chattr ${3/+/-} '$1'" "could not .* '.*$1'"; }
                    for path in Sources/Mini Sources/Mini/MiniVersion.swift old.txt .; do immutable "$path" early +i; done
                    for path in .git/refs/heads .git/refs/tags .git/refs/heads/main .git/logs/HEAD; do
                        immutable "$path" early +i
                    done
                    immutable dist late +i
                    """#)
        }

        @Test(
            "Read-only mounts and mount points", .enabled(if: Privilege.mounts, "needs the rights to mount"))
        func mounted() async throws {
            try await expectNoOutput(
                Self.attempt + #"""
                    readonly() {
                        attempt "$1, read-only" "$2" "mount --bind '$1' '$1' && mount -o remount,ro,bind '$1'" "umount '$1'" \
                            "could not .*: Read-only file system"
                    }
                    for path in Sources Sources/Mini/MiniVersion.swift .git/refs .git/logs; do readonly "$path" early; done
                    readonly dist late
                    path=Sources/Mini/MiniVersion.swift
                    attempt "$path, mounted" early "mount --bind $path $path" "umount $path" "could not replace '.*$path'"
                    attempt "dist/a.txt, mounted" late "touch dist/a.txt; mount --bind dist/a.txt dist/a.txt" \
                        "umount dist/a.txt; rm dist/a.txt" "could not replace '.*dist/a.txt'"
                    """#, mounts: true)
        }

        @Test("Entries of another kind in place of created files")
        func otherKinds() async throws {
            try await expectNoOutput(
                Self.attempt + #"""
                    attempt 'a directory' late 'mkdir dist/a.txt' 'rmdir dist/a.txt' "could not replace '.*/dist/a.txt'"
                    attempt 'a file' late 'mv dist kept; echo > dist; mkdir -p .git/info; printf "dist\nkept\n" >> .git/info/exclude' \
                        'rm dist; mv kept dist' "could not write to '.*/dist'"
                    """#)
        }

        /// The rest of the space is that at the end of the steps. With little, nothing changes; with more, all of it.
        @Test("A full disk", .enabled(if: Privilege.mounts, "needs the rights to mount"))
        func full() async throws {
            let rest = PropertySettings(name: "full", cases: 6).cases
            try await expectNoOutput(
                #"""
                mkdir "$root.disk"; mount -t tmpfs -o size=12m none "$root.disk"
                export ROOT=$root.disk/mini; root=$ROOT; cp -a "${ROOT%.disk/mini}.kept" "$root.kept"
                head -c 300000 /dev/urandom | base64 > "$root.kept/Sources/Mini/large.txt"
                cd "$root.kept"; git add -A; git commit -q --amend -m 'feat: More'; cd /
                refused=0; complete=0; incomplete=0
                for ((i = 0; i < CASES; i++)); do
                    again; before=$(state); rest=$((i * 1500 / CASES))
                    export BEFORE='cat Sources/Mini/large.txt Sources/Mini/large.txt > new.txt'
                    export MEANWHILE='space=$(df -k --output=avail "$ROOT" | tail -1)
                        head -c "$(((space - REST) * 1024))" /dev/zero > "$ROOT/.git/fill"; true'
                    REST=$rest "$0" release 0.2.0 > "$root.out" 2>&1; status=$?
                    rm -f .git/fill; export MEANWHILE=true BEFORE=true
                    if [ "$(git tag --list 0.2.0)" = "" ]; then
                        refused=$((refused + 1))
                        [ $status != 0 ] || fail "$rest: status 0"
                        [ "$(state)" = "$before" ] || fail "$rest: changed"
                    elif [ $status = 0 ]; then
                        complete=$((complete + 1)); released "$rest, complete"; continue
                    else
                        incomplete=$((incomplete + 1))
                    fi
                    "$0" release 0.2.0 > "$root.out" 2>&1 || fail "$rest: the next run failed with $?"
                    released "$rest"
                done
                [ $refused -gt 0 ] && [ $complete -gt 0 ] || echo "$refused refused, $complete complete, $incomplete incomplete"
                cd /; umount "${ROOT%/mini}"; root=${ROOT%.disk/mini}; rmdir "$root.disk"
                """#.replacing("CASES", with: "\(rest)"), mounts: true)
        }

        /// The call fails in the run and in its own recovery, as with an error of the disk.
        @Test("A failure after the references have moved", arguments: ["mv", "mkdir", "git"])
        func afterReferences(program: String) async throws {
            try await expectNoOutput(
                #"""
                real=$(command -v PROGRAM); git=$(command -v git)
                cat > "$root.bin/PROGRAM" <<END
                #!/bin/sh
                [ ! -e "$root.broken" ] || [ -z "\$('$git' -C '$root' tag --list 0.2.0)" ] || exit 128
                exec $real "\$@"
                END
                chmod +x "$root.bin/PROGRAM"
                for words in 'release 0.2.0' 'release minor' 'release auto' release 'release 0.2.0 --resume'; do
                    again; touch "$root.broken"
                    PATH="$root.bin:$PATH" "$0" ${words% --resume} > "$root.out" 2>&1; status=$?
                    rm -f "$root.broken"
                    [ $status != 0 ] || fail "$words: status 0"
                    grep -Eq "the release '0.2.0' exists(, but not all of it is in place)?: " "$root.out" || fail "$words: untold"
                    "$0" $words > "$root.out" 2>&1 || fail "$words: the next run failed with $?"
                    released "$words"
                    grep -q "finished the release '0.2.0', which had been interrupted" "$root.out" || fail "$words: no note"
                    if "$0" release 0.2.0 > "$root.out" 2>&1; then fail "$words: released twice"; fi
                    released "$words, refused later"
                done
                # A release of another version first completes the interrupted one.
                again; touch "$root.broken"
                PATH="$root.bin:$PATH" "$0" release 0.2.0 > "$root.out" 2>&1
                rm -f "$root.broken"
                "$0" release 0.3.0 > "$root.out" 2>&1 || fail "0.3.0: the next run failed with $?"
                [ "$(git tag --list | tr '\n' ' ')" = "0.1.0 0.2.0 0.3.0 " ] || fail "0.3.0: other tags"
                """#.replacing("PROGRAM", with: program))
        }
    }
}
