"use strict";

// Draws a trace. The guide and the lines are on a sheet of their own, onto which new lines are drawn; a frame is a copy of
// it with the hint and the pen of the keyboard.
class Drawing {
    constructor(canvas) {
        this.canvas = canvas;
        this.visible = canvas.getContext("2d");
        this.sheet = document.createElement("canvas");
        this.context = this.sheet.getContext("2d");
        this.view = { width: 320, height: 400, threshold: 20 };
        this.height = this.view.height;
        this.geometry = { paths: [], stars: [], cues: [] };
        this.won = new Set();
    }

    // The width of a line by a finger or a mouse.
    get penWidth() {
        return Math.max(4, 0.35 * this.view.threshold);
    }

    // Fits the view into the space beside the controls, in device pixels. A side has at least one pixel.
    //
    // If it may be cropped, the quarter below a letter that has no part there is not shown.
    resize(isCropped) {
        const lowest = Math.max(...this.geometry.paths.flat().map(([, y]) => y)) + 2 * this.view.threshold;
        const { height: whole } = this.view;
        this.height = isCropped ? Math.max(0.75 * whole, Math.min(whole, lowest)) : whole;
        const { clientWidth, clientHeight } = this.canvas.parentElement;
        const room = { width: Math.max(1, clientWidth - 16), height: Math.max(1, clientHeight - 16) };
        this.scale = Math.min(room.width / this.view.width, room.height / this.height);
        const pixels = window.devicePixelRatio || 1;
        const [width, height] = [this.view.width, this.height].map((side) => Math.max(1, side * this.scale));
        this.canvas.style.width = `${width}px`;
        this.canvas.style.height = `${height}px`;
        for (const context of [this.visible, this.context]) {
            context.canvas.width = Math.max(1, Math.round(width * pixels));
            context.canvas.height = Math.max(1, Math.round(height * pixels));
            context.setTransform(this.scale * pixels, 0, 0, this.scale * pixels, 0, 0);
            context.lineCap = "round";
            context.lineJoin = "round";
        }
        const style = getComputedStyle(document.documentElement);
        const names = ["card", "guide", "edge", "next", "done", "star", "on-path", "off-path", "out-of-order", "complete", "hint", "end", "writing", "text",
            "won", "won-edge"];
        this.colors = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
    }

    // Returns the position of an event in view units.
    position(event) {
        const frame = this.canvas.getBoundingClientRect();
        const left = frame.left + this.canvas.clientLeft;
        const top = frame.top + this.canvas.clientTop;
        return [(event.clientX - left) / this.scale, (event.clientY - top) / this.scale];
    }

    // Shows the sheet with a hint, the pen of the keyboard, and a path that is dotted, each of which may be null. The hint
    // pulses, from 0 to 1.
    show(hint, pen, marked = null, pulse = 0.5) {
        const { visible, view } = this;
        visible.drawImage(this.sheet, 0, 0, view.width, this.height);
        this.#wonStars();
        if (marked) {
            visible.strokeStyle = this.colors.hint;
            visible.lineWidth = 0.3 * view.threshold;
            visible.setLineDash([0, 0.6 * view.threshold]);
            this.#polyline(visible, marked);
            visible.setLineDash([]);
        }
        if (hint) this.#hint(hint.arrow, pulse);
        if (pen) this.#pen(pen);
    }

    // Shows the stars that are won, on top of the lines.
    #wonStars() {
        const { visible, view, colors } = this;
        [visible.fillStyle, visible.strokeStyle, visible.lineWidth] = [colors.won, colors["won-edge"], view.threshold / 8];
        for (const star of this.won) {
            this.#star(visible, ...star, 0.7 * view.threshold);
            visible.stroke();
        }
    }

    // Shows lines that are not on the sheet and fade after a moment, up to a share of the time.
    fade(lines, width, share) {
        this.visible.globalAlpha = Math.min(1, Math.max(0, 1.4 * (1 - share)));
        this.lines(lines, width, false, this.visible);
        this.visible.globalAlpha = 1;
    }

    // Wins the stars that finished paths and the drawn part of the next one pass.
    win({ isDone }, drawn = []) {
        const paths = [...this.geometry.paths.filter((_, index) => isDone[index]), drawn];
        for (const star of this.geometry.stars) {
            if (paths.some((path) => distance(path, star) < this.view.threshold / 2)) this.won.add(star);
        }
    }

    // Empties the sheet but for the guide, in which the next stroke is bright, and drawn strokes and the drawn part of the
    // next one are pale.
    guide({ expected, isDone } = { expected: -1, isDone: [] }, drawn = []) {
        const { context, colors, view } = this;
        this.won.clear();
        context.fillStyle = colors.card;
        context.fillRect(0, 0, view.width, view.height);
        this.#cues((kind) => kind === Cue.writingLines);
        const { paths } = this.geometry;
        const isNext = (index) => (expected >= 0 ? index === expected : !isDone[index]);
        context.strokeStyle = colors.edge;
        context.lineWidth = 2 * view.threshold;
        for (const path of paths) this.#polyline(context, path);
        context.lineWidth = 2 * view.threshold * 0.88;
        for (const [color, isShown] of [
            [colors.guide, (index) => !isDone[index] && !isNext(index)], [colors.done, (index) => isDone[index]], [colors.next, isNext],
        ]) {
            context.strokeStyle = color;
            for (const [index, path] of paths.entries()) if (isShown(index)) this.#polyline(context, path);
        }
        context.strokeStyle = colors.done;
        this.#polyline(context, drawn);
        context.fillStyle = colors.star;
        for (const [x, y] of this.geometry.stars) this.#star(context, x, y, view.threshold / 2);
        this.#cues((kind) => kind !== Cue.writingLines);
    }

    #cues(isIncluded) {
        const { context, colors } = this;
        for (const { kind, width, points } of this.geometry.cues) {
            if (!isIncluded(kind)) continue;
            context.strokeStyle = kind === Cue.writingLines ? colors.writing : kind === Cue.ends ? colors.end : colors.hint;
            context.lineWidth = width;
            this.#polyline(context, points);
        }
    }

    // Shows the sheet with a part of a demonstration: polylines, of which the last one ends at the pen. A still has dots at
    // their starts, and an arrow in place of the pen.
    demonstrate(lines, isStill) {
        const { visible, view, colors } = this;
        visible.drawImage(this.sheet, 0, 0, view.width, this.height);
        this.#wonStars();
        visible.strokeStyle = colors.hint;
        visible.lineWidth = 0.4 * view.threshold;
        for (const line of lines) this.#polyline(visible, line);
        visible.fillStyle = colors.hint;
        const dots = isStill ? lines.map(([start]) => start) : [lines.at(-1).at(-1)];
        for (const [x, y] of dots) {
            visible.beginPath();
            visible.arc(x, y, 0.6 * view.threshold, 0, 2 * Math.PI);
            visible.fill();
        }
        if (isStill) this.#head(lines.at(-1), 0.8 * view.threshold);
    }

    // Draws the head of an arrow along a polyline.
    #head(points, size) {
        const [tipX, tipY] = points.at(-1);
        // The last lines of a curve may be too short for a direction.
        const before = points.findLast(([x, y]) => Math.hypot(tipX - x, tipY - y) > size / 4) ?? points[0];
        const length = Math.hypot(tipX - before[0], tipY - before[1]);
        if (length === 0) return;
        const [dx, dy] = [(tipX - before[0]) * size / length, (tipY - before[1]) * size / length];
        this.#polyline(this.visible, [[tipX - dx + dy, tipY - dy - dx], [tipX, tipY], [tipX - dx - dy, tipY - dy + dx]]);
    }

    // Draws lines, those of the same color and width in one go. Where the pen was lifted and goes on, it leaves no gap.
    lines(lines, width, isComplete, context = this.context) {
        const batches = new Map();
        let last = null;
        for (const line of lines) {
            const key = `${this.color(line.result, isComplete)} ${width(line)}`;
            if (!batches.has(key)) batches.set(key, []);
            if (last !== null && last.stroke !== line.stroke && last.result & line.result & Result.onPath) {
                const [x1, y1, x2, y2] = [...last.ends.slice(2), ...line.ends];
                if (Math.hypot(x2 - x1, y2 - y1) < 1.5 * this.view.threshold) batches.get(key).push([x1, y1, x2, y2]);
            }
            last = line;
            batches.get(key).push(line.ends);
        }
        for (const [key, ends] of batches) {
            const [color, size] = key.split(" ");
            context.strokeStyle = color;
            context.lineWidth = Number(size);
            context.beginPath();
            let [x, y] = [NaN, NaN];
            const dots = ends.filter(([x1, y1, x2, y2]) => x1 === x2 && y1 === y2);
            for (const [x1, y1, x2, y2] of ends) {
                if (x1 !== x || y1 !== y) context.moveTo(x1, y1);
                context.lineTo(x2, y2);
                [x, y] = [x2, y2];
            }
            context.stroke();
            // A line without length has no round caps here.
            context.fillStyle = color;
            for (const [x1, y1] of dots) {
                context.beginPath();
                context.arc(x1, y1, Number(size) / 2, 0, 2 * Math.PI);
                context.fill();
            }
        }
    }

    // Lets stars fly from the middle of the letter, up to a share of their way.
    celebrate(share) {
        const { visible, view, colors } = this;
        [visible.fillStyle, visible.strokeStyle] = [colors.next, colors.star];
        const size = Math.min(view.width, this.height);
        visible.lineWidth = size / 80;
        for (let number = 0; number < 14; number++) {
            const angle = number * 2.4;
            const reach = size * (0.12 + 0.36 * share * (0.5 + (number % 5) / 8));
            this.#star(
                visible, view.width / 2 + reach * Math.cos(angle), this.height / 2 + reach * Math.sin(angle),
                size * (number % 3 === 0 ? 0.07 : 0.045));
            visible.stroke();
        }
    }

    color(result, isComplete) {
        if (result & Result.offPath) return this.colors["off-path"];
        if (result & Result.outOfOrder) return this.colors["out-of-order"];
        return isComplete ? this.colors.complete : this.colors["on-path"];
    }

    #pen({ point: [x, y], isDown }) {
        this.visible.beginPath();
        this.visible.arc(x, y, isDown ? 4 : 8, 0, 2 * Math.PI);
        this.visible.strokeStyle = this.colors.hint;
        this.visible.lineWidth = 3;
        this.visible.stroke();
    }

    #polyline(context, points) {
        if (points.length === 0) return;
        context.beginPath();
        if (points.length === 1) {
            // A line without length has no round caps here.
            context.arc(points[0][0], points[0][1], context.lineWidth / 2, 0, 2 * Math.PI);
            context.fillStyle = context.strokeStyle;
            context.fill();
            return;
        }
        context.moveTo(points[0][0], points[0][1]);
        for (const [x, y] of points) context.lineTo(x, y);
        context.stroke();
    }

    #star(context, x, y, radius) {
        context.beginPath();
        for (let corner = 0; corner < 10; corner++) {
            const angle = (corner / 5 - 0.5) * Math.PI;
            const reach = corner % 2 === 0 ? radius : radius * 0.42;
            context.lineTo(x + reach * Math.cos(angle), y + reach * Math.sin(angle));
        }
        context.closePath();
        context.fill();
    }

    // Draws a dot where to continue and, except for a dot of a letter, an arrow along the path.
    #hint(arrow, pulse) {
        const { visible: context, colors, view } = this;
        const [[x, y]] = arrow;
        const size = view.threshold * 0.8;
        context.fillStyle = colors.hint;
        context.beginPath();
        context.arc(x, y, size / 2, 0, 2 * Math.PI);
        context.fill();
        context.strokeStyle = colors.hint;
        context.globalAlpha = 1 - 0.7 * pulse;
        context.lineWidth = size / 4;
        context.beginPath();
        context.arc(x, y, size * (0.6 + 0.9 * pulse), 0, 2 * Math.PI);
        context.stroke();
        context.globalAlpha = 1;
        if (arrow.length < 2) return;
        context.lineWidth = size / 3;
        this.#polyline(context, arrow);
        this.#head(arrow, size * 0.7);
    }
}

// Returns the distance of a point from a polyline, Infinity for one without points.
function distance(points, [x, y]) {
    let least = Infinity;
    for (const [index, [x1, y1]] of points.entries()) {
        const [x2, y2] = points[index + 1] ?? [x1, y1];
        const [dx, dy] = [x2 - x1, y2 - y1];
        const share = Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy || 1)));
        least = Math.min(least, Math.hypot(x - x1 - share * dx, y - y1 - share * dy));
    }
    return least;
}
