#if arch(wasm32)
    import Tracer

    // The functions of the WebAssembly module. Lists pass through two buffers in memory, whose addresses `input` and
    // `output` return.

    // A page has one thread.
    nonisolated(unsafe) private var session = WebSession()
    // A page has one thread.
    nonisolated(unsafe) private var inputBuffer = UnsafeMutableBufferPointer<Double>.allocate(capacity: 0)
    // A page has one thread.
    nonisolated(unsafe) private var outputBuffer = UnsafeMutableBufferPointer<Double>.allocate(capacity: 0)

    /// Returns the address for a list of numbers that the next call reads.
    @_expose(wasm, "input") @_cdecl("tracer_input")
    func input(count: Int32) -> UnsafeMutablePointer<Double>? {
        inputBuffer.deallocate()
        inputBuffer = .allocate(capacity: Int(count))
        return inputBuffer.baseAddress
    }

    /// Returns the address of the list of numbers that the last call produced.
    @_expose(wasm, "output") @_cdecl("tracer_output")
    func output() -> UnsafeMutablePointer<Double>? { outputBuffer.baseAddress }

    /// Starts a trace with a threshold in view units. Zero means the default threshold.
    @_expose(wasm, "start") @_cdecl("tracer_start")
    func start(width: Double, height: Double, threshold: Double, isOrdered: Int32) -> Int32 {
        let settings = TraceSettings(
            threshold: threshold > 0 ? .units(threshold) : .standard, mode: isOrdered == 0 ? .free : .ordered)
        return session.start(glyph: Array(inputBuffer), in: TraceSize(width, height), settings) ? 1 : 0
    }

    @_expose(wasm, "begin") @_cdecl("tracer_begin")
    func begin(x: Double, y: Double, time: Double, touch: Int32) -> Int32 {
        session.begin(at: TracePoint(x, y), time: time, touch: Int(touch)).rawValue
    }

    @_expose(wasm, "move") @_cdecl("tracer_move")
    func move(x: Double, y: Double, time: Double, touch: Int32) -> Int32 {
        session.move(to: TracePoint(x, y), time: time, touch: Int(touch)).rawValue
    }

    @_expose(wasm, "end") @_cdecl("tracer_end")
    func end(touch: Int32) { session.end(touch: Int(touch)) }

    @_expose(wasm, "cancel") @_cdecl("tracer_cancel")
    func cancel(touch: Int32) { session.cancel(touch: Int(touch)) }

    @_expose(wasm, "undo") @_cdecl("tracer_undo")
    func undo() -> Int32 { session.undo() ? 1 : 0 }

    @_expose(wasm, "reset") @_cdecl("tracer_reset")
    func reset() { session.reset() }

    @_expose(wasm, "replay") @_cdecl("tracer_replay")
    func replay() -> Int32 { session.replay(Array(inputBuffer)) ? 1 : 0 }

    /// Returns the threshold in view units.
    @_expose(wasm, "threshold") @_cdecl("tracer_threshold")
    func threshold() -> Double { session.threshold }

    @_expose(wasm, "geometry") @_cdecl("tracer_geometry")
    func geometry() -> Int32 { write(session.geometry) }

    @_expose(wasm, "cues") @_cdecl("tracer_cues")
    func cues() -> Int32 { write(session.cues) }

    @_expose(wasm, "demonstration") @_cdecl("tracer_demonstration")
    func demonstration() -> Int32 { write(session.demonstration) }

    @_expose(wasm, "progress") @_cdecl("tracer_progress")
    func progress() -> Int32 { write(session.progress) }

    @_expose(wasm, "mistakes") @_cdecl("tracer_mistakes")
    func mistakes() -> Int32 { write(session.mistakes) }

    @_expose(wasm, "completion_line") @_cdecl("tracer_completion_line")
    func completionLine() -> Int32 { Int32(session.completionLine) }

    @_expose(wasm, "strokes") @_cdecl("tracer_strokes")
    func strokes() -> Int32 { write(session.strokes) }

    @_expose(wasm, "lines") @_cdecl("tracer_lines")
    func lines() -> Int32 { write(session.lines) }

    @_expose(wasm, "hint") @_cdecl("tracer_hint")
    func hint() -> Int32 { write(session.hint) }

    @_expose(wasm, "completion") @_cdecl("tracer_completion")
    func completion() -> Double { session.completion }

    @_expose(wasm, "score") @_cdecl("tracer_score")
    func score() -> Int32 { write(session.score) }

    /// Writes the UTF-8 bytes of the reasons to the output.
    @_expose(wasm, "reasons") @_cdecl("tracer_reasons")
    func reasons() -> Int32 { write(session.reasons.utf8.map { Double($0) }) }

    /// Copies a list to the output, and returns its count.
    private func write(_ numbers: [Double]) -> Int32 {
        if outputBuffer.count < numbers.count {
            outputBuffer.deallocate()
            outputBuffer = .allocate(capacity: numbers.count)
        }
        for (index, number) in numbers.enumerated() { outputBuffer[index] = number }
        return Int32(numbers.count)
    }
#endif
