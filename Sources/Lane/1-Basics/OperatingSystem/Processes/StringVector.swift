#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// NUL-terminated strings and an array of pointers to them for `execve`, in two blocks of memory.
///
/// Sendable, because the memory does not change after the initialization.
struct StringVector: ~Copyable, @unchecked Sendable {
    let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let characters: UnsafeMutableRawPointer
    /// A Boolean value that indicates whether a string contains NUL, at which the kernel would truncate the string.
    let isCut: Bool

    /// Creates at most `count` strings from the parts that `fill` appends.
    private init(count: Int, byteCount: Int, fill: (inout Filler) -> Void) {
        pointers = .allocate(capacity: count + 1)
        characters = .allocate(byteCount: max(1, byteCount), alignment: 1)
        var filler = Filler(pointers: pointers, next: characters, start: characters)
        fill(&filler)
        filler.pointers.pointee = nil
        isCut = filler.isCut
    }

    init(_ texts: [String]) {
        let size = texts.reduce(0) { $0 + $1.utf8.count + 1 }
        self.init(count: texts.count, byteCount: size) { filler in
            for text in texts {
                filler.append(text)
                filler.endText()
            }
        }
    }

    /// Creates a string `name=value` for each variable.
    ///
    /// - Parameters:
    ///   - changes: The variables that replace those of the same name. Without a changed copy of the dictionary, a child
    ///     starts measurably faster.
    ///   - hidden: The names of variables that the child must not see.
    init(
        environment: [String: String], changes: [(name: String, value: String)], hiding hidden: [String] = []
    ) {
        var size = changes.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 2 }
        for (name, value) in environment { size += name.utf8.count + value.utf8.count + 2 }
        self.init(count: environment.count + changes.count, byteCount: size) { filler in
            for (name, value) in environment where !changes.contains(where: { $0.name == name }) {
                filler.append(name, value, isHidden: hidden.contains(name))
            }
            for (name, value) in changes { filler.append(name, value, isHidden: hidden.contains(name)) }
        }
    }

    deinit {
        pointers.deallocate()
        characters.deallocate()
    }

    private struct Filler {
        var pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
        var next: UnsafeMutableRawPointer
        var start: UnsafeMutableRawPointer
        var isCut = false

        mutating func append(_ text: String) {
            // The bytes are fewer than those of the text.
            if text.hasEscapedBytes {
                for byte in text.pathBytes { append(byte) }
                return
            }
            var text = text
            text.withUTF8 { bytes in
                guard let base = bytes.baseAddress else { return }
                next.copyMemory(from: base, byteCount: bytes.count)
                next += bytes.count
            }
        }

        mutating func append(_ byte: UInt8) {
            next.storeBytes(of: byte, as: UInt8.self)
            next += 1
        }

        mutating func append(_ name: String, _ value: String, isHidden: Bool) {
            append(name)
            append(isHidden ? ChildMark.hidingSeparator : UInt8(ascii: "="))
            append(value)
            endText()
        }

        /// Ends a string and checks it for NUL. Uses a fast search, because the check runs for the whole environment of
        /// each child.
        mutating func endText() {
            if memchr(start, 0, next - start) != nil { isCut = true }
            append(0)
            pointers.pointee = start.assumingMemoryBound(to: CChar.self)
            pointers += 1
            start = next
        }
    }
}
