import Testing

@testable import LaneModel

@Suite struct BashSyntaxTests {
    @Test(arguments: [
        ("if [[ -n a ]]; then b; fi", "[["), ("a && [[ b ]]", "[["), ("while ! [[ a ]]; do b; done", "[["),
        ("x=1\nsource ./x.sh", "source"), ("diff <(a) b", "<(…)"), ("a >(b)", ">(…)"), ("read x <<< \"$y\"", "<<<"),
        ("echo ${x^^}", "${x^^}"), ("echo \"${x:0:1}\"", "${x:0:1}"), ("echo ${x/a/b}", "${x/a/b}"),
        ("echo ${x[0]}", "${x[0]}"), ("echo ${!x}", "${!x}"), ("a=(1 2)", "a=(…)"), ("function f { b; }", "function"),
        ("for ((i=0;i<3;i++)); do a; done", "for ((…))"), ("a &> b", "&>"), ("a |& b", "|&"),
        ("echo -e 'a\\tb'", "echo -e"), ("echo {1..3}", "{1..3}"), ("(pushd a)", "pushd"),
        ("(( 1 == 1 )) && a", "((…))"), ("x=1; ((x++))", "((…))"), ("if ((x > 1)); then a; fi", "((…))"),
        ("((\n(x + 1) * 2\n))", "((…))"), ("echo $'a\\n'", "$'…'"), ("echo a$'b'", "$'…'"),
        ("set -o pipefail", "set -o pipefail"), ("x\nset -euo pipefail", "set -euo pipefail"),
        ("trap 'a' EXIT ERR", "trap … ERR"), ("select x in a; do b; done", "select"), ("let x=1", "let"),
        ("printf -v x a", "printf -v"), ("read -rs x", "read -rs"), ("x=$((1 << 2)); [[ a ]]", "[["),
        ("time declare -A m", "declare"), ("if [ $x == 1 ]; then b; fi", "=="), ("test a == b", "=="),
    ])
    func isFound(_ script: String, _ syntax: String) {
        #expect(BashSyntax.first(in: script) == "'\(syntax)'")
    }

    @Test(arguments: [
        "[ -n a ] && echo '[[ a ]]'", "echo [[ a", "grep -E '^[[:space:]]' a", "# source ./x.sh", "echo a# [[",
        ". ./x.sh",
        "echo source", "a < b > c 2>&1 & d", "cat <<END\n[[ a ]] ${x^^}\nEND",
        "echo ${x:-a/b} ${x#*/} ${x%.*} ${#x} ${x:+y}",
        "echo \"a <(b) |& {1..3}\"", "x=$(a) y=$((1 + 2)); (b)", "f() { a; }", "find . -exec a {} +",
        "echo ${1} $! ${?}",
        "a || b; case c in d) e ;; esac", "echo \\[[ a", "curl -e x; echo a -e", "echo ${{ let.x[0] }}",
        "sed 's/{1..3}/x/'",
        "echo \"it's\" [[", "git log --format=%H -- a",
        "echo $(((1 + 2) * 3)) $((1 << 2))", "((a) && (b))", "((a); b)", "(a; (b))", "echo \"$'a'\" 'a$'",
        "bash -euo pipefail a", "set -o errexit; echo pipefail", "trap 'a' EXIT INT; echo ERR", "printf %s -v",
        "read -r -p x y", "echo ((",
        "[ a = b ]; echo ==", "echo [ a == b ]", "swift test == b", "[ '==' = b ]", "[ \"==\" = b ]",
    ])
    func isNotFoundInAPortableScript(_ script: String) {
        #expect(BashSyntax.first(in: script) == nil)
    }
}
