import Archives
import Expressions
import LaneModel
import Text

/// A digest of a list of strings and values. Each is preceded by its length or count, so different lists have different
/// bytes.
struct Fingerprint: ~Copyable {
    private static let capacity = 4096

    private var hash = SHA256()
    /// A buffer of bytes to hash. Most parts are short, and the hash is faster with many bytes at once.
    private let waiting = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 1)
    private var count = 0

    deinit {
        waiting.deallocate()
    }

    mutating func add(_ text: String) {
        text.withBytes { bytes in
            add(count: bytes.count)
            add(UnsafeRawBufferPointer(bytes))
        }
    }

    mutating func add(_ settings: Settings) {
        add(count: settings.sortedMembers.count)
        for (name, value) in settings.sortedMembers {
            add(name)
            add(value)
        }
        for (name, value) in settings.variables {
            add(name)
            add(value)
        }
    }

    mutating func add(_ value: Value) {
        switch value {
        case .null: add(kind: 0)
        case .bool(let value): add(kind: value ? 2 : 1)
        case .integer(let value):
            add(kind: 3)
            add(count: value)
        case .string(let text):
            add(kind: 4)
            add(text)
        case .list(let values):
            add(kind: 5)
            add(count: values.count)
            for value in values { add(value) }
        case .map(let members):
            add(kind: 6)
            add(count: members.count)
            for (name, value) in members {
                add(name)
                add(value)
            }
        }
    }

    mutating func add(_ node: SettingsTemplate.Node) {
        switch node {
        case .value(let value): add(value)
        case .template(let template):
            add(kind: 7)
            add(template.text)
        case .list(let nodes):
            add(kind: 8)
            add(count: nodes.count)
            for node in nodes { add(node) }
        case .map(let members):
            add(kind: 9)
            add(count: members.count)
            for member in members {
                add(member.name)
                add(member.node)
            }
        }
    }

    mutating func digest() -> SHA256Digest {
        flush()
        return hash.digest()
    }

    private mutating func flush() {
        hash.update(UnsafeRawBufferPointer(rebasing: waiting[..<count]))
        count = 0
    }

    private mutating func add(_ bytes: UnsafeRawBufferPointer) {
        if bytes.count > Self.capacity - count { flush() }
        guard bytes.count <= Self.capacity else { return hash.update(bytes) }
        UnsafeMutableRawBufferPointer(rebasing: waiting[count...]).copyMemory(from: bytes)
        count += bytes.count
    }

    private mutating func add(kind: UInt8) {
        if count == Self.capacity { flush() }
        waiting[count] = kind
        count += 1
    }

    /// Adds a count as LEB128, because most counts are small.
    private mutating func add(count: Int) {
        var rest = UInt64(bitPattern: Int64(count))
        while rest >= 0x80 {
            add(kind: UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        add(kind: UInt8(rest))
    }
}

extension Plan {
    /// Returns digests of the plan's steps and of the values of `let`, in hexadecimal digits with a period between them.
    /// Plans with equal steps have equal first digests.
    func fingerprint(in environment: RunEnvironment) -> String {
        var print = Fingerprint()
        var values = Fingerprint()
        if hasSecrets {
            let key = StateKey.read(root: environment.root).hexString
            print.add(key)
            values.add(key)
        }
        if contexts.contains(.arguments) { print.add(.list(environment.evaluation.arguments.map { .string($0) })) }
        for (name, value) in groups.flatMap(\.values) {
            values.add(name)
            values.add(value)
        }
        for group in groups {
            print.add(group.path)
            print.add(group.stage.rawValue)
            for (name, value) in group.parameters + group.matrix {
                print.add(name)
                print.add(value)
            }
        }
        for step in steps {
            print.add(step.id)
            print.add(step.task.action.name)
            print.add(step.schedule.condition?.text ?? "")
            for (name, template) in step.task.environment {
                print.add(name)
                print.add(template.text)
            }
            if let directory = step.task.directory { print.add("directory=\(directory.text)") }
            if let item = step.task.item { print.add("item=\(item)") }
            for member in step.task.settings.members {
                print.add(member.name)
                print.add(member.node)
            }
        }
        return "\(print.digest().bytes.prefix(16).hexString).\(values.digest().bytes.prefix(8).hexString)"
    }
}
