import CLibrary
import OperatingSystem
import TestSupport
import Testing

extension EndToEnd {
    /// Finds the calls in the trace of a successful release. `LANE_PROPERTY_CASES=100x` fails each of them in turn, and a
    /// normal run every nth. `LANE_PROPERTY_SEED=random` starts at a random call.
    @Suite("After its commit, a release survives the failure of any write")
    struct ReleaseFaultTests {
        /// A Boolean value that indicates whether a process may trace one that it did not start.
        private static var canTrace: Bool {
            guard hasTool("strace") else { return false }
            let scope = try? readText("/proc/sys/kernel/yama/ptrace_scope")
            guard let scope, !scope.hasPrefix("0") else { return true }
            let status = (try? readText("/proc/self/status")) ?? ""
            let mask = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") }?.dropFirst(8)
            // CAP_SYS_PTRACE
            return mask.flatMap { UInt64($0, radix: 16) }.map { $0 >> 19 & 1 == 1 } ?? false
        }

        @Test(
            "Each call fails in lane or in one of its children",
            .enabled(if: canTrace, "needs strace and the permission to trace"))
        func anyCall() async throws {
            let package = try MiniPackage(lanes: ["release": InterruptedReleaseTests.lane])
            let scratch = try TemporaryDirectory()
            let settings = PropertySettings(name: "anyCall", cases: 5)
            let environment = [
                "BASE": scratch.path, "COUNT": "\(settings.cases)", "SEED": "\(settings.seed & 0xFFFF)",
            ]
            let run = try await capture(
                Command(
                    "bash", ["-c", Self.script, BuiltTool.lane.path],
                    environment: plainEnvironment().merging(environment) { $1 }, directory: package.path),
                limits: RunLimits(timeout: .seconds(3600)))
            #expect(run.report.succeeded, "\(run.errorText)")
            #expect(run.text.isEmpty, "\(run.text)")
        }

        private static let script = #"""
            lane=$0; unset LANE_CHILD
            base=$(cd "$BASE" && pwd -P); root=$base/mini; mkdir "$base/tmp"; cp -R . "$root.kept"
            export base TMPDIR=$base/tmp; cd "$root.kept"
            git init -q -b main; git add -A; git commit -qm Begin
            again() {
                cd /; rm -rf "$root" "$base/begun" "$base/calls" "$base/hit"
                cp -R "$root.kept" "$root"; cd "$root"; git update-index -q --refresh
            }
            # The programs that apply a release, each counted from the point of no return on.
            mkdir "$base/bin" "$base/trace"; export base PATH="$base/bin:$PATH"
            cat > "$base/bin/call" <<'END'
            #!/bin/bash
            name=${0##*/}; PATH=${PATH#*:}; real=$(command -v $name); PATH=$base/bin:$PATH
            if [ ! -e "$base/begun" ]; then
                case "$name $2" in "sh "*update-ref*) ;; *) exec "$real" "$@" ;; esac
                : > "$base/begun"
                until [ ! "$LANE_TRACED" ] || grep -q 'TracerPid:.[1-9]' "/proc/$(< "$base/lane")/status"; do :; done
            fi
            echo >> "$base/calls"; mapfile -t calls < "$base/calls"; call=${#calls[@]}
            if [ "$CALL" = all ]; then exec strace -qq -e trace=$TRACED -o "$base/trace/$call" "$real" "$@"; fi
            [ "$call" = "$CALL" ] || exec "$real" "$@"
            exec strace -qq -e trace=$NAME -e inject=$NAME:error=$ERROR:when=$NUMBER -o "$base/hit" "$real" "$@"
            END
            chmod +x "$base/bin/call"
            for name in sh git mv mkdir rm cat; do ln -s call "$base/bin/$name"; done
            # Runs a release; with arguments, traces lane itself by them from the point of no return on.
            release() {
                again
                (echo $BASHPID > "$base/lane"; LANE_TRACED=$* exec "$lane" release 0.2.0 > .git/out 2>&1) & run=$!
                if [ "$*" ]; then
                    while [ ! -e "$base/begun" ] && kill -0 $run 2>/dev/null; do sleep 0.01; done
                    threads=(); for thread in /proc/$(< "$base/lane")/task/*; do threads+=(-p ${thread##*/}); done
                    strace -qq "$@" "${threads[@]}" & strace=$!
                fi
                wait $run; status=$?
                if [ "$*" ]; then wait $strace; fi
            }
            fail() { echo "$*"; cat .git/out .git/next; }
            # Lists the calls that write, as "process name error number"; process 0 is lane.
            sites() {
                for file in "$base"/trace/*; do
                    awk -v process="${file##*/}" '
                        process == 0 { thread = $1; sub(/^[0-9]+ +/, "") }
                        { name = $0; sub(/\(.*/, "", name); nth = ++number[thread, name] }
                        / = -1 / || /SIG/ || /"\/dev\// || name == "openat" && !/O_CREAT|O_WRONLY|O_RDWR/ { next }
                        name !~ /unlink|rmdir|chmod/ { print process, name, "ENOSPC", nth }
                        name !~ /write|ftruncate|fsync/ { print process, name, "EACCES", nth }' "$file"
                done
            }
            TRACED=write,pwrite64,openat,rename,renameat,renameat2,mkdir,mkdirat,unlink,unlinkat,rmdir,link,linkat,fsync
            export TRACED=$TRACED,fdatasync,ftruncate,symlink,chmod
            CALL=all release -o "$base/trace/0" -e trace=$TRACED
            [ $status = 0 ] || fail "count"
            sites | sort -k 1n -s > "$base/sites"
            total=$(wc -l < "$base/sites"); stride=$(((total + COUNT - 1) / COUNT)); number=0; tried=0; hits=0
            [ "$total" -ge 60 ] || fail "only $total calls found"
            while read -r CALL NAME ERROR NUMBER; do
                number=$((number + 1)); [ $((number % stride)) = $((SEED % stride)) ] || continue
                tried=$((tried + 1))
                site="process $CALL, $NAME $NUMBER: $ERROR"
                export CALL NAME ERROR NUMBER
                if [ $CALL = 0 ]; then
                    release -e trace=$NAME -e inject=$NAME:error=$ERROR:when=$NUMBER -o "$base/hit"
                else
                    release
                fi
                # Git reads a file again whose time is that of the index, so the numbers of calls differ now and then.
                if grep -q INJECTED "$base/hit"; then hits=$((hits + 1)); fi
                export CALL=none
                if [ "$(git tag --list)" = "" ]; then
                    if grep -q "the release '0.2.0' exists" .git/out; then fail "$site: untrue, exists"; fi
                    [ $status != 0 ] || fail "$site: status 0 without a tag"
                elif grep -q 'write([12],.*INJECTED' "$base/hit"; then
                    # Nothing but the messages is missing, so nothing can be resumed.
                    status=0
                elif [ $status != 0 ]; then
                    grep -q "the release '0.2.0' exists, but" .git/out || fail "$site: not told, status $status"
                    "$lane" doctor | grep -q "the release '0.2.0' was interrupted" || fail "$site: the doctor is silent"
                fi
                before=$(git tag --list)
                if [ $status != 0 ] && [ $((tried % 3)) = 0 ]; then
                    next=0.2.0; "$lane" release 0.2.0 --resume > .git/next 2>&1 || fail "$site: --resume failed"
                elif [ $status != 0 ] && [ $((tried % 3)) = 1 ] && { [ -e .git/lane/transaction ] || [ ! "$before" ]; }; then
                    next=0.2.0; "$lane" release 0.2.0 > .git/next 2>&1 || fail "$site: the same command failed"
                else
                    next=0.3.0; "$lane" release 0.3.0 > .git/next 2>&1 || fail "$site: the next release failed"
                fi
                if [ "$before" ] && grep -q 'it had changed nothing' .git/next; then fail "$site: untrue, nothing"; fi
                for version in $before $next; do
                    [ -e dist/checksums-$version.manifest.json ] || fail "$site: a file of $version is missing"
                done
                [ -e dist/a.txt.sha256 ] || fail "$site: files are missing"
                [ "$(git rev-parse $next^{commit})" = "$(git rev-parse main)" ] || fail "$site: not released"
                [ "$(git worktree list | wc -l)" = 1 ] || fail "$site: a worktree remains"
                [ "$(git status --porcelain)" = "" ] || fail "$site: the checkout is changed"
                remaining=$(find .git -name '*.lock'; ls .git/lane "$TMPDIR" | grep -vE '^$|:$|^(lock|released.json)$')
                [ "$remaining" = "" ] || fail "$site: remaining: $remaining"
            done < "$base/sites"
            [ $((hits * 4)) -ge $((tried * 3)) ] || fail "$hits of $tried calls failed"
            """#
    }
}
