extension TracePicture {
    /// Returns an SVG document with an animation of the lines as they were drawn. They turn green when the trace is
    /// complete.
    ///
    /// If the user prefers reduced motion, the document shows the finished picture.
    ///
    /// - Parameters:
    ///   - session: The trace. Its samples must have times.
    ///   - size: The size of the view that the session's coordinates belong to.
    ///   - speed: The factor of the original speed; 1 if the value isn't positive and finite.
    public func replaySVG(of session: TraceSession, size: TraceSize, speed: Double = 1) -> String {
        let speed = speed > 0 && speed.isFinite ? speed : 1
        let list = displayList(of: session.target, size: size)
        var text = list.svgHead
        // A dash as long as the line moves in from before its start. The gap is longer than the line, which hides the
        // second dash.
        text += """
            <style>
            .line{fill:none;stroke-linecap:round;stroke-linejoin:round;stroke-dasharray:1 2;stroke-dashoffset:1.01;\
            animation:draw 0s linear forwards}
            .done{animation-name:draw,turn}
            @keyframes draw{to{stroke-dashoffset:0}}
            @keyframes turn{to{stroke:var(--done)}}
            @media(prefers-reduced-motion:reduce){.line{animation:none;stroke-dashoffset:0}.done{stroke:var(--done)}}
            </style>

            """
        text += list.svgBody
        let completion = Decimal3((session.completionTime ?? 0) / speed).text
        for run in runs(of: session, longest: 8, isReplay: true) {
            let data = DisplayList.pathData(run.points) + (run.points.count > 1 ? "" : "h0.01")
            let delay = Decimal3(run.start / speed).text
            let duration = Decimal3(max(0, run.end - run.start) / speed).text
            let done = run.finalColor.map { "--done:\($0.hexadecimal);" } ?? ""
            let (delays, durations) =
                done.isEmpty ? (delay + "s", duration + "s") : ("\(delay)s,\(completion)s", "\(duration)s,0s")
            text += """
                <path class="line\(done.isEmpty ? "" : " done")" pathLength="1" d="\(data)" \
                stroke="\(run.color.hexadecimal)" stroke-width="\(Decimal3(lineWidth).text)" \
                style="\(done)animation-delay:\(delays);animation-duration:\(durations)"/>

                """
        }
        return text + "</svg>\n"
    }
}

extension TraceSession {
    /// The time of the sample that completed the trace; `nil` if it is not complete.
    fileprivate var completionTime: Double? {
        guard let completionLine else { return nil }
        let stroke = lines[completionLine].stroke
        let sample = lines[...completionLine].count { $0.stroke == stroke } - 1
        return strokes[stroke].samples[sample].time
    }
}
