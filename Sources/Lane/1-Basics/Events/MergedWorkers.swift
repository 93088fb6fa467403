/// The numbers of test processes in a run that was merged from several machines.
///
/// A number encodes the number of the shard and the number of the process on its machine.
package enum MergedWorkers {
    /// The factor of the shard. It exceeds the maximum number of test processes on one machine, 1,024.
    private static let perShard = 10_000

    /// Returns the number of a process in the merged run.
    package static func number(_ worker: Int, ofShard shard: Int) -> Int { shard * perShard + worker % perShard }

    /// Returns the name of a process by its number: `worker 3`, or `shard 2 (3)` in a merged run.
    package static func name(_ number: Int) -> String {
        let (shard, worker) = number.quotientAndRemainder(dividingBy: perShard)
        return shard == 0 ? "worker \(worker)" : "shard \(shard) (\(worker))"
    }
}
