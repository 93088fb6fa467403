import TestActions
import Diagnostics
import Files
import HTTP
import LaneRun
import TestQueue

/// The event files of `lane merge`, with those of queues in place of their directories and addresses.
struct QueuedEvents {
    /// The absolute paths of all files.
    let paths: [String]
    /// The connections to servers, whose directories contain the downloaded files.
    private let servers: [ServerConnection]

    init(_ words: [String], in world: World) throws(CommandFailure) {
        var paths: [String] = []
        var servers: [ServerConnection] = []
        do throws(TestQueueError) {
            for word in words {
                let path = absolutePath(word, from: world.directory)
                if let server = try Self.server(word, in: world) {
                    servers.append(server)
                    let store = WebStore(server.files, drafts: server.scratch.path)
                    paths += try store.download(TestQueue.eventFiles(in: store), to: server.scratch.path)
                } else if isDirectory(path) {
                    let store = try DirectoryStore(at: path)
                    let names = try TestQueue.eventFiles(in: store)
                    let found = store.existing(names)
                    paths += names.filter(found.contains).map { "\(path)/\($0)" }
                } else {
                    paths.append(path)
                }
            }
        } catch {
            throw CommandFailure(StepFailure(error))
        }
        guard !paths.isEmpty else { throw CommandFailure(.failed, "no batch of the queue has reported") }
        (self.paths, self.servers) = (paths, servers)
    }

    private static func server(_ word: String, in world: World) throws(TestQueueError) -> ServerConnection? {
        do throws(WebError) {
            return try ServerConnection(
                to: word, processes: world.processes, environment: world.environment, cancellation: world.cancellation)
        } catch {
            throw .web(error)
        }
    }
}
