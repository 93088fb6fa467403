import Files

/// The records in a file as it was read. One is decoded when it is asked for, and the next file takes over as bytes those
/// that nobody replaced.
struct KnownRecords: Sendable {
    /// About as many bytes as a record has.
    private static let usualSize = 256

    private struct Place {
        let bytes: Range<Int>
        /// The record, if each of its files was seen to be as it stands there.
        let seen: StepRecord?
    }

    private let bytes: [UInt8]
    private var places: [String: Place] = [:]

    static func path(below root: String) -> String { "\(root)/.lane/state" }

    /// - Parameter looksAhead: Whether the next record's files shall be looked at.
    init(below root: RootFolder, looksAhead: () -> Bool) {
        bytes = (try? readFile(Self.path(below: root.path))) ?? []
        guard var reader = RecordReader(file: bytes) else { return }
        places.reserveCapacity(bytes.count / Self.usualSize)
        while let (step, range) = reader.entry() {
            places[step] = Place(bytes: range, seen: looksAhead() ? seen(step, range, in: root) : nil)
        }
    }

    func has(_ step: String) -> Bool { places[step] != nil }

    func record(of step: String) -> StepRecord? {
        guard let place = places[step] else { return nil }
        return place.seen ?? StepRecord(step, bytes, place.bytes)
    }

    private func seen(_ step: String, _ range: Range<Int>, in root: RootFolder) -> StepRecord? {
        guard var record = StepRecord(step, bytes, range), record.isUnchanged(in: root) else { return nil }
        record.wasSeenUnchanged = true
        return record
    }

    /// The next file.
    ///
    /// - Parameter changes: Records in bytes, `nil` for steps to forget.
    func file(with changes: [String: [UInt8]?]) -> [UInt8] {
        var records = places.mapValues { bytes[$0.bytes] }
        for (step, change) in changes { records[step] = change.map { $0[...] } }
        var writer = RecordWriter(header: RecordReader.header)
        for (step, record) in records.sorted(by: { $0.key < $1.key }) { writer.add(step, record) }
        return writer.bytes
    }
}
