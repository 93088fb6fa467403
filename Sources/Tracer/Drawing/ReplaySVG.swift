extension TracePicture {
    /// Returns an SVG document with an animation of the lines as they were drawn.
    ///
    /// With the system setting for reduced motion, the finished picture is shown.
    ///
    /// - Parameters:
    ///   - session: The trace; its samples need times.
    ///   - size: The size of the view that the session's coordinates belong to.
    ///   - speed: The factor of the original speed; 1 if the value isn't positive and finite.
    public func replaySVG(of session: TraceSession, size: TraceSize, speed: Double = 1) -> String {
        let speed = speed > 0 && speed.isFinite ? speed : 1
        let list = displayList(of: session.target, size: size)
        var text = list.svgHead
        // A dash as long as the line moves in from before its start. The gap is longer than the line, so that no second
        // dash is visible at its end.
        text += """
            <style>
            .line{fill:none;stroke-linecap:round;stroke-linejoin:round;stroke-dasharray:1 2;stroke-dashoffset:1.01;\
            animation:draw 0s linear forwards}
            @keyframes draw{to{stroke-dashoffset:0}}
            @media(prefers-reduced-motion:reduce){.line{animation:none;stroke-dashoffset:0}}
            </style>

            """
        text += list.svgBody
        for run in runs(of: session, longest: 8) {
            let data = DisplayList.pathData(run.points) + (run.points.count > 1 ? "" : "h0.01")
            let delay = Decimal3(run.start / speed).text
            let duration = Decimal3(max(0, run.end - run.start) / speed).text
            text += """
                <path class="line" pathLength="1" d="\(data)" stroke="\(run.color.hexadecimal)" \
                stroke-width="\(Decimal3(lineWidth).text)" style="animation-delay:\(delay)s;animation-duration:\(duration)s"/>

                """
        }
        return text + "</svg>\n"
    }
}
