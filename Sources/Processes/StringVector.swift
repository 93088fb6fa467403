#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// NUL-terminated strings and the array of pointers to them, as `execve` wants them, in two blocks of memory.
struct StringVector: ~Copyable {
    let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let characters: UnsafeMutableRawPointer
    /// One of the texts has a NUL inside, where the kernel would end it, silently.
    let isCut: Bool

    /// Each text is given in parts that are joined.
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

    /// `name=value` for each variable and for the extra one, which wins over one of the same name.
    init(environment: [String: String], extra: (name: String, value: String)) {
        let size = environment.reduce(extra.name.utf8.count + extra.value.utf8.count + 2) { sum, variable in
            sum + variable.key.utf8.count + variable.value.utf8.count + 2
        }
        let count = environment.count + (environment[extra.name] == nil ? 1 : 0)
        self.init(count: count, byteCount: size) { filler in
            filler.append(extra)
            for variable in environment where variable.key != extra.name {
                filler.append((variable.key, variable.value))
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

        mutating func append(_ variable: (name: String, value: String)) {
            append(variable.name)
            append("=")
            append(variable.value)
            endText()
        }

        /// Asked of the whole environment for each child, so by the library's fast search.
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
