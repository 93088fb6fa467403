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
        this.geometry = { paths: [], stars: [], cues: [] };
    }

    // Fits the view into the space beside the controls, in device pixels.
    resize() {
        const room = { width: this.canvas.parentElement.clientWidth - 32, height: window.innerHeight * 0.62 };
        this.scale = Math.min(room.width / this.view.width, room.height / this.view.height);
        const pixels = window.devicePixelRatio || 1;
        const [width, height] = [this.view.width * this.scale, this.view.height * this.scale];
        this.canvas.style.width = `${width}px`;
        this.canvas.style.height = `${height}px`;
        for (const context of [this.visible, this.context]) {
            context.canvas.width = Math.round(width * pixels);
            context.canvas.height = Math.round(height * pixels);
            context.setTransform(this.scale * pixels, 0, 0, this.scale * pixels, 0, 0);
            context.lineCap = "round";
            context.lineJoin = "round";
        }
        const style = getComputedStyle(document.documentElement);
        const names = ["paper", "guide", "star", "on-path", "off-path", "out-of-order", "complete", "hint", "end", "writing", "text"];
        this.colors = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
    }

    // Returns the position of an event in view units.
    position(event) {
        const frame = this.canvas.getBoundingClientRect();
        const left = frame.left + this.canvas.clientLeft;
        const top = frame.top + this.canvas.clientTop;
        return [(event.clientX - left) / this.scale, (event.clientY - top) / this.scale];
    }

    // Shows the sheet with a hint, the pen of the keyboard, and a path that is marked, each of which may be null.
    show(hint, pen, marked = null) {
        const { visible, view } = this;
        visible.drawImage(this.sheet, 0, 0, view.width, view.height);
        if (marked) {
            visible.globalAlpha = 0.45;
            visible.strokeStyle = this.colors.hint;
            visible.lineWidth = view.threshold;
            this.#polyline(visible, marked);
            visible.globalAlpha = 1;
        }
        if (hint) this.#hint(hint);
        if (pen) this.#pen(pen);
    }

    // Empties the sheet but for the guide.
    guide() {
        const { context, colors, view } = this;
        context.fillStyle = colors.paper;
        context.fillRect(0, 0, view.width, view.height);
        this.#cues((kind) => kind === Cue.writingLines);
        context.strokeStyle = colors.guide;
        context.lineWidth = 2 * view.threshold;
        for (const path of this.geometry.paths) this.#polyline(context, path);
        context.fillStyle = colors.star;
        for (const [x, y] of this.geometry.stars) this.#star(x, y, view.threshold / 2);
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

    // Shows the sheet with a part of a demonstration: polylines, of which the last one ends at the pen.
    demonstrate(lines) {
        const { visible, view, colors } = this;
        visible.drawImage(this.sheet, 0, 0, view.width, view.height);
        visible.strokeStyle = colors.hint;
        visible.lineWidth = 0.4 * view.threshold;
        for (const line of lines) this.#polyline(visible, line);
        const [x, y] = lines.at(-1).at(-1);
        visible.fillStyle = colors.hint;
        visible.beginPath();
        visible.arc(x, y, 0.6 * view.threshold, 0, 2 * Math.PI);
        visible.fill();
    }

    // Draws lines, those of the same color and width in one go.
    lines(lines, width, isComplete) {
        const batches = new Map();
        for (const line of lines) {
            const key = `${this.color(line.result, isComplete)} ${width(line)}`;
            if (!batches.has(key)) batches.set(key, []);
            batches.get(key).push(line.ends);
        }
        for (const [key, ends] of batches) {
            const [color, size] = key.split(" ");
            this.context.strokeStyle = color;
            this.context.lineWidth = Number(size);
            this.context.beginPath();
            let [x, y] = [NaN, NaN];
            for (const [x1, y1, x2, y2] of ends) {
                if (x1 !== x || y1 !== y) this.context.moveTo(x1, y1);
                this.context.lineTo(x2, y2);
                [x, y] = [x2, y2];
            }
            this.context.stroke();
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

    #star(x, y, radius) {
        this.context.beginPath();
        for (let corner = 0; corner < 10; corner++) {
            const angle = (corner / 5 - 0.5) * Math.PI;
            const reach = corner % 2 === 0 ? radius : radius * 0.42;
            this.context.lineTo(x + reach * Math.cos(angle), y + reach * Math.sin(angle));
        }
        this.context.fill();
    }

    // Draws a dot where to continue and, except for a dot of a letter, an arrow.
    #hint({ point: [x, y], direction: [dx, dy] }) {
        const { visible: context, colors, view } = this;
        const size = view.threshold * 0.6;
        context.fillStyle = colors.hint;
        context.beginPath();
        context.arc(x, y, size / 2, 0, 2 * Math.PI);
        context.fill();
        if (dx === 0 && dy === 0) return;
        const [tipX, tipY] = [x + dx * 2.5 * size, y + dy * 2.5 * size];
        context.strokeStyle = colors.hint;
        context.lineWidth = size / 3;
        this.#polyline(context, [[x, y], [tipX, tipY]]);
        const side = size * 0.7;
        this.#polyline(context, [
            [tipX - (dx - dy) * side, tipY - (dy + dx) * side], [tipX, tipY],
            [tipX - (dx + dy) * side, tipY - (dy - dx) * side],
        ]);
    }
}
