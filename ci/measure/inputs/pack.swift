// A program that packs a directory with the module Archives, because lane packs only what it has built.
import Archives

let arguments = CommandLine.arguments
let contents = try ArchiveContents.tree(at: arguments[1])
print(try contents.writeTarGzip(to: arguments[2], modified: 0, threads: Int(arguments[3]) ?? 1))
