/// What the collections that are still open hold, one behind the other.
///
/// An array would do but for one thing: what is taken off the end of it can only be copied. Of a lane file's parsing that
/// is a noticeable part.
struct NodeStack<Element>: ~Copyable {
    private var memory: UnsafeMutablePointer<Element>
    private var capacity = 64
    private(set) var count = 0

    init() {
        memory = .allocate(capacity: capacity)
    }

    deinit {
        memory.deinitialize(count: count)
        memory.deallocate()
    }

    mutating func push(_ element: consuming Element) {
        if count == capacity { grow() }
        (memory + count).initialize(to: element)
        count += 1
    }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: memory, count: count)
        memory.deallocate()
        memory = larger
        capacity *= 2
    }

    /// Takes off everything from a place on, in the order in which it came.
    mutating func pop(from base: Int) -> [Element] {
        var popped: [Element] = []
        popped.reserveCapacity(count - base)
        for index in base..<count { popped.append((memory + index).move()) }
        count = base
        return popped
    }

    /// The index of the first one from a place on that fits.
    func firstIndex(from base: Int, where fits: (borrowing Element) -> Bool) -> Int? {
        for index in base..<count where fits(memory[index]) { return index }
        return nil
    }

    subscript(index: Int) -> Element { memory[index] }
}
