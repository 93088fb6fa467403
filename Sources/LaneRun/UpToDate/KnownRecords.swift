import Files

/// The records in a file as it was read. One is decoded when it is asked for, and the next file takes over as bytes those
/// that nobody replaced.
struct KnownRecords: Sendable {
    /// About as many bytes as a record has.
    private static let usualSize = 256

    private let bytes: [UInt8]
    private var ranges: [String: Range<Int>] = [:]

    static func path(below root: String) -> String { "\(root)/.lane/state" }

    init(below root: RootFolder) {
        bytes = (try? readRegularFile(Self.path(below: root.path))) ?? []
        guard var reader = RecordReader(file: bytes) else { return }
        ranges.reserveCapacity(bytes.count / Self.usualSize)
        while let (step, range) = reader.entry() {
            ranges[step] = range
        }
    }

    func has(_ step: String) -> Bool { ranges[step] != nil }

    func record(of step: String) -> StepRecord? {
        ranges[step].flatMap { StepRecord(step, bytes, $0) }
    }

    /// The next file.
    ///
    /// - Parameter changes: Records in bytes, `nil` for steps to forget.
    func file(with changes: [String: [UInt8]?]) -> [UInt8] {
        var records = ranges.mapValues { bytes[$0] }
        for (step, change) in changes { records[step] = change.map { $0[...] } }
        var writer = RecordWriter(header: RecordReader.header)
        for (step, record) in records.sorted(by: { $0.key < $1.key }) { writer.add(step, record) }
        return writer.bytes
    }
}
