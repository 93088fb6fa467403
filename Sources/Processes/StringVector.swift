#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// NUL-terminated strings and an array of pointers to them for `execve`, in two blocks of memory.
struct StringVector: ~Copyable {
    let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let characters: UnsafeMutableRawPointer
    /// A Boolean value that indicates whether a string contains NUL, at which the kernel would truncate the string.
    let isCut: Bool

    /// Creates strings from the parts that `fill` appends.
    private init(count: Int, byteCount: Int, fill: (inout Filler) -> Void) {
        pointers = .allocate(capacity: count + 1)
        characters = .allocate(byteCount: max(1, byteCount), alignment: 1)
        var filler = Filler(pointers: pointers, next: characters, start: characters)
        fill(&filler)
        pointers[count] = nil
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
    /// - Parameter hidden: The names of variables that the child must not see.
    init(environment: [String: String], hiding hidden: [String] = []) {
        let size = environment.reduce(0) { sum, variable in
            sum + variable.key.utf8.count + variable.value.utf8.count + 2
        }
        self.init(count: environment.count, byteCount: size) { filler in
            for (name, value) in environment {
                filler.append(name)
                filler.append(hidden.contains(name) ? ChildMark.hidingSeparator : "=")
                filler.append(value)
                filler.endText()
            }
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
            var text = text
            text.withUTF8 { bytes in
                guard let base = bytes.baseAddress else { return }
                next.copyMemory(from: base, byteCount: bytes.count)
                next += bytes.count
            }
        }

        /// Ends a string and checks it for NUL. Uses a fast search, because the check runs for the whole environment of
        /// each child.
        mutating func endText() {
            if memchr(start, 0, next - start) != nil { isCut = true }
            next.storeBytes(of: 0, as: UInt8.self)
            next += 1
            pointers.pointee = start.assumingMemoryBound(to: CChar.self)
            pointers += 1
            start = next
        }
    }
}
