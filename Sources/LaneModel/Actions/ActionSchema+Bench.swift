import Expressions

extension ActionSchema {
    static let bench = ActionSchema(
        "bench", "Measure a program, and compare it with the program of an earlier commit", shorthand: "product",
        settings: [
            SettingSchema("product", .string, "The executable product, built in release configuration"),
            SettingSchema("arguments", .list(.string), "The arguments of the product"),
            SettingSchema(
                "command", .either([.script, .list(.string)]), "The command to measure, in place of 'product'"),
            SettingSchema("directory", .path, "The directory in which the programs run, relative to the package"),
            SettingSchema("base", .string, "The commit to compare with, built in a private worktree"),
            SettingSchema(
                "threshold", .integer(0...1000),
                "Fail if the median exceeds the base by more than this percentage; by default 5"),
            SettingSchema(
                "peers", .map(.either([.script, .list(.string)])), "Other commands to compare with, by name"),
            SettingSchema(
                "at-most", .list(.string),
                "Fail if the median exceeds a multiple of a peer's, such as '1.5 x gzip', or a limit, such as '10 ms'"),
            SettingSchema(
                "measure", .choice(["time", "cpu-time", "instructions", "memory"]), "The quantity",
                default: .string("time")),
            SettingSchema("runs", .integer(6...1000), "The number of runs of each program", default: .integer(10)),
        ],
        outputs: [
            ActionOutput("median", .integer, "The median in microseconds, instructions or bytes"),
            ActionOutput("change", .integer, "The median change in percent, with 'base'"),
        ],
        example: """
            - bench: parser-bench
            - bench: { product: parser-bench, arguments: [--size, "1000"], base: origin/main, threshold: 3 }
            - bench: { command: [python3, bench.py], base: 1.2.0, measure: instructions, runs: 6 }
            - bench: { command: [./ours, input], directory: data, peers: { gzip: [gzip, -k, input] }, at-most: 1.2 x gzip }
            """)
}
