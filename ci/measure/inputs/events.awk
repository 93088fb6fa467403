# Writes the events of eight shards of a run with `count` tests, in suites of 200, to the files shard1.jsonl to shard8.jsonl.
# All tests pass.
function test(i) {
    return "\"test\":{\"library\":\"xctest\",\"module\":\"DemoTests\",\"suite\":\"Suite" int(i / 200) "Tests\",\"name\":\"testNumber" i "DoesWhatItSays\"}"
}
function line(event, fields) {
    printf "{\"event\":\"%s\",\"number\":%d,\"at\":%.3f,%s}\n", event, ++number, number / 1000, fields >file
}
BEGIN {
    step = "\"step\":\"test/test\","
    for (shard = 1; shard <= 8; shard++) {
        file = "shard" shard ".jsonl"
        number = 0
        line("runStarted", "\"version\":1,\"lane\":\"test\",\"startedAt\":1795000000,\"steps\":[{\"id\":\"test/test\",\"name\":\"test\"}]")
        line("stepStarted", step "\"name\":\"test\",\"action\":\"test\"")
        line("testsSharded", step "\"index\":" shard ",\"count\":8,\"total\":" count ",\"digest\":\"same\"")
        # One event plans at most 1,000 tests.
        for (i = shard; i <= count; i = end) {
            tests = ""
            for (end = i; end < i + 8 * 1000 && end <= count; end += 8)
                tests = tests (tests == "" ? "" : ",") "{" test(end) ",\"location\":{\"path\":\"Tests/DemoTests/Suite" int(end / 200) ".swift\",\"line\":" end % 25 "}}"
            line("testsPlanned", step "\"tests\":[" tests "]")
        }
        for (i = shard; i <= count; i += 8) {
            line("testStarted", step test(i) ",\"attempt\":1,\"worker\":1")
            line("testEnded", step test(i) ",\"attempt\":1,\"duration\":0.0" i % 97 ",\"outcome\":\"passed\"")
        }
        line("testsFinished", substr(step, 1, length(step) - 1))
        line("stepEnded", step "\"name\":\"test\",\"duration\":9,\"outcome\":\"passed\"")
        line("runEnded", "\"status\":0,\"duration\":9.1")
        close(file)
    }
}
