"use strict";

// The page: letters, touches, keys and buttons around an engine and a drawing.
class Page {
    #pointers = new Map();
    #widths = [];
    #strokeOf = new Map();
    #start = null;
    #pen = null;
    #replay = 0;
    #isComplete = false;

    constructor(engine, glyphs) {
        this.engine = engine;
        this.elements = Object.fromEntries(
            ["canvas", "letter", "previous", "next", "ordered", "cues", "demonstrate", "completion", "status", "reasons", "undo", "clear",
                "replay", "save", "load", "file"].map((id) => [id, document.getElementById(id)]));
        this.drawing = new Drawing(this.elements.canvas);
        this.useGlyphs(glyphs);
        this.#listen();
    }

    useGlyphs(glyphs) {
        this.glyphs = glyphs;
        this.elements.letter.replaceChildren(...glyphs.map(({ name }) => new Option(title(name), name)));
        this.choose(glyphs[0].name);
    }

    // Shows a letter without lines. The view is that of the demo's recordings unless another one is given.
    choose(name, view = { width: 320, height: 400 }) {
        const glyph = this.glyphs.find((glyph) => glyph.name === name);
        if (!glyph) return this.say(`There is no letter ${name}.`);
        this.elements.letter.value = name;
        const isStarted = this.engine.start(glyph, { ...view, ordered: this.elements.ordered.checked });
        this.drawing.view = { ...view, threshold: this.engine.threshold };
        this.elements.canvas.setAttribute("aria-label", `The letter ${title(name)}`);
        this.#forget();
        this.resize();
        if (!isStarted) return this.say(`The letter ${name} cannot be traced in this view.`);
        this.report(`The letter ${title(name)}: ${count(glyph.strokes.length, "stroke")}.`);
    }

    step(distance) {
        const at = this.glyphs.findIndex(({ name }) => name === this.elements.letter.value);
        this.choose(this.glyphs[(at + distance + this.glyphs.length) % this.glyphs.length].name);
    }

    resize() {
        this.drawing.resize();
        this.drawing.geometry = {
            ...this.engine.geometry(), cues: this.elements.cues.checked ? this.engine.cues() : [],
        };
        this.redraw();
    }

    redraw() {
        const drawn = [];
        this.drawing.guide();
        const lines = this.engine.lines().map((line) => {
            drawn[line.stroke] = (drawn[line.stroke] ?? -1) + 1;
            return { ...line, sample: drawn[line.stroke] };
        });
        const width = ({ stroke, sample }) => this.#widths[stroke]?.[sample] ?? 4;
        this.drawing.lines(lines, width, this.#isComplete);
        this.show();
    }

    show() {
        const { hint } = this.engine.mistakes();
        this.drawing.show(this.engine.hint(), this.#pen, this.drawing.geometry.paths[hint] ?? null);
    }

    // Draws one touch: begins a stroke, or continues it.
    touch(pointer, [x, y], time, pressure = 0) {
        this.#replay++;
        this.#start ??= time;
        const width = pressure > 0 ? 2 + 4 * pressure : 4;
        const isNew = !this.#pointers.has(pointer);
        const id = isNew ? this.#freeTouch() : this.#pointers.get(pointer).id;
        const last = isNew ? [x, y] : this.#pointers.get(pointer).point;
        const seconds = (time - this.#start) / 1000;
        const result = isNew ? this.engine.begin(x, y, seconds, id) : this.engine.move(x, y, seconds, id);
        if (result === 0) return;
        if (isNew) {
            this.#strokeOf.set(pointer, this.#widths.length);
            this.#widths.push([]);
        }
        this.#widths[this.#strokeOf.get(pointer)].push(width);
        this.#pointers.set(pointer, { id, point: [x, y] });
        this.#isComplete ||= (result & Result.completesTrace) !== 0;
        if (result & Result.completesTrace) return this.redraw();
        this.drawing.lines([{ result, ends: [...last, x, y] }], () => width, this.#isComplete);
        this.show();
    }

    #freeTouch() {
        const used = new Set([...this.#pointers.values()].map(({ id }) => id));
        let id = 0;
        while (used.has(id)) id++;
        return id;
    }

    lift(pointer) {
        const contact = this.#pointers.get(pointer);
        if (!contact) return;
        this.engine.end(contact.id);
        this.#pointers.delete(pointer);
        this.report();
        this.show();
    }

    // Removes the stroke of a touch that the system took over.
    cancel(pointer) {
        const contact = this.#pointers.get(pointer);
        if (!contact) return;
        this.engine.cancel(contact.id);
        this.#pointers.delete(pointer);
        const stroke = this.#strokeOf.get(pointer);
        this.#widths.splice(stroke, 1);
        for (const [other, index] of this.#strokeOf) if (index > stroke) this.#strokeOf.set(other, index - 1);
        this.#changed();
    }

    undo() {
        if (!this.engine.undo()) return this.say("There is nothing to undo.");
        this.#widths.pop();
        this.#pointers.clear();
        this.#changed();
    }

    clear() {
        this.engine.reset();
        this.#forget();
        this.#changed();
    }

    #forget() {
        this.#replay++;
        this.#pointers.clear();
        this.#strokeOf.clear();
        [this.#widths, this.#start, this.#isComplete] = [[], null, false];
        this.#pen = null;
    }

    #changed() {
        this.#isComplete = this.engine.completion === 1;
        this.redraw();
        this.report();
    }

    // Shows the score, after what was just done.
    report(text = "") {
        const score = this.engine.score();
        this.elements.completion.value = score.completion;
        const drawn = score.complete
            ? `Complete: ${score.points} of 100 points.` : `${Math.floor(score.completion * 100)} percent drawn.`;
        const mistakes = this.engine.mistakes();
        const counted = mistakes.count > 0 ? ` ${count(mistakes.count, "mistake")}.` : "";
        const hint = mistakes.hint >= 0 ? ` A hint shows stroke ${mistakes.hint + 1}.` : "";
        this.say(`${text} ${drawn}${counted}${hint}`.trim());
        const reasons = this.engine.strokes().length > 0 ? this.engine.reasons() : [];
        this.elements.reasons.replaceChildren(...reasons.map((reason) => {
            const item = document.createElement("li");
            item.textContent = reason;
            return item;
        }));
    }

    say(text) {
        this.elements.status.textContent = text;
    }

    // Draws the lines again at the speed of the hand; pauses of more than half a second are shortened.
    async replay() {
        const [strokes, lines] = [this.engine.strokes(), this.engine.lines()];
        const number = ++this.#replay;
        const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
        const drawn = strokes.map(() => -1);
        this.drawing.guide();
        let last = 0;
        const completion = this.engine.completionLine;
        for (const [index, line] of lines.entries()) {
            const time = strokes[line.stroke][++drawn[line.stroke]][2];
            if (!isCalm && time > last) await pause(Math.min(time - last, 0.5));
            if (number !== this.#replay) return;
            last = Math.max(last, time);
            // All lines turn green with the one that completes the letter.
            if (index === completion) {
                this.drawing.guide();
                this.drawing.lines(lines.slice(0, index), () => 4, true);
            }
            this.drawing.lines([line], () => 4, completion >= 0 && index >= completion);
            this.drawing.show(null, null);
        }
        this.redraw();
    }

    // Shows a hand that draws the letter; all at once if motion is to be reduced.
    async demonstrate() {
        const strokes = this.engine.demonstration();
        if (strokes.length === 0) return;
        const number = ++this.#replay;
        const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
        const end = strokes.at(-1).at(-1)[2];
        const start = performance.now();
        for (let time = isCalm ? end : 0; ; time = (performance.now() - start) / 1000) {
            this.drawing.demonstrate(partsUntil(strokes, time));
            if (time >= end) break;
            await new Promise(requestAnimationFrame);
            if (number !== this.#replay) return;
        }
        await pause(1);
        if (number === this.#replay) this.show();
    }

    recording() {
        const { width, height, threshold } = this.drawing.view;
        return {
            tracer: 1, letter: this.elements.letter.value, width, height, threshold, strokes: this.engine.strokes(),
        };
    }

    save() {
        const link = document.createElement("a");
        link.href = URL.createObjectURL(new Blob([JSON.stringify(this.recording())], { type: "application/json" }));
        link.download = `trace-${this.elements.letter.value}.json`;
        link.click();
        URL.revokeObjectURL(link.href);
    }

    // Reads a recording or a glyph set.
    load(text) {
        let value;
        try {
            value = JSON.parse(text);
        } catch (error) {
            return this.say(`The file is no JSON: ${error.message}.`);
        }
        if (value?.["tracer-glyphs"] === 1 && isGlyphSet(value)) return this.useGlyphs(value.glyphs);
        if (value?.tracer !== 1 || !Array.isArray(value.strokes)) {
            return this.say("The file is neither a recording nor a glyph set of Tracer.");
        }
        const { width, height, threshold } = value;
        if (![width, height, threshold].every((length) => Number.isFinite(length) && length > 0)) {
            return this.say("The view of the recording has no size.");
        }
        if (!this.glyphs.some(({ name }) => name === value.letter)) return this.say(`There is no letter ${value.letter}.`);
        this.choose(value.letter, { width, height, threshold });
        if (!isStrokes(value.strokes) || !this.engine.replay(value.strokes)) {
            return this.say("The strokes of the recording are not lists of numbers.");
        }
        this.#widths = value.strokes.map(() => []);
        this.#changed();
    }

    #listen() {
        const { canvas, letter, ordered, file } = this.elements;
        const on = (element, name, action) => element.addEventListener(name, action);
        on(canvas, "pointerdown", (event) => {
            if (event.pointerType === "mouse" && event.button !== 0) return;
            try {
                canvas.setPointerCapture(event.pointerId);
            } catch {
                // A pointer that has left already cannot be captured.
            }
            this.touch(event.pointerId, this.drawing.position(event), event.timeStamp, penPressure(event));
        });
        on(canvas, "pointermove", (event) => {
            if (!this.#pointers.has(event.pointerId)) return;
            const events = event.getCoalescedEvents?.() ?? [];
            for (const part of events.length > 0 ? events : [event]) {
                this.touch(event.pointerId, this.drawing.position(part), part.timeStamp, penPressure(part));
            }
            this.elements.completion.value = this.engine.completion;
        });
        on(canvas, "pointerup", (event) => this.lift(event.pointerId));
        on(canvas, "pointercancel", (event) => this.cancel(event.pointerId));
        on(canvas, "keydown", (event) => this.#key(event));
        on(canvas, "blur", () => this.#movePen(null));
        on(letter, "change", () => this.choose(letter.value));
        on(ordered, "change", () => this.choose(letter.value));
        on(this.elements.cues, "change", () => this.resize());
        on(this.elements.previous, "click", () => this.step(-1));
        on(this.elements.next, "click", () => this.step(1));
        for (const name of ["undo", "clear", "demonstrate", "replay", "save"]) on(this.elements[name], "click", () => this[name]());
        on(this.elements.load, "click", () => file.click());
        on(file, "change", async () => {
            if (file.files.length > 0) this.load(await file.files[0].text());
            file.value = "";
        });
        on(window, "resize", () => this.resize());
        on(matchMedia("(prefers-color-scheme: dark)"), "change", () => this.resize());
    }

    #key(event) {
        const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
        if (event.key === "z" && (event.ctrlKey || event.metaKey)) {
            this.undo();
        } else if (steps[event.key]) {
            const [dx, dy] = steps[event.key].map((part) => part * (event.shiftKey ? 2 : 8));
            const { point, isDown } = this.#pen ?? { point: this.drawing.geometry.stars[0] ?? [0, 0], isDown: false };
            this.#movePen({ point: [point[0] + dx, point[1] + dy], isDown }, event.timeStamp);
        } else if (event.key === " ") {
            const { point, isDown } = this.#pen ?? { point: this.drawing.geometry.stars[0] ?? [0, 0], isDown: false };
            this.#movePen({ point, isDown: !isDown }, event.timeStamp);
        } else {
            return;
        }
        event.preventDefault();
    }

    // Moves the pen of the keyboard, which draws while it is down; null puts it away.
    #movePen(pen, time = performance.now()) {
        const wasDown = this.#pen?.isDown ?? false;
        this.#pen = pen;
        if (pen?.isDown) this.touch("keyboard", pen.point, time);
        if (wasDown && !pen?.isDown) this.lift("keyboard");
        this.show();
    }
}

// The name of a glyph for readers.
function title(name) {
    return name.length > 4 && name.endsWith(".alt") ? `${name.slice(0, -4)} (second form)` : name;
}

function count(number, noun) {
    return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

// Returns the parts of strokes that are drawn at a time.
function partsUntil(strokes, time) {
    return strokes.filter(([first]) => first[2] <= time).map((stroke) => {
        const next = stroke.findIndex((sample) => sample[2] > time);
        if (next < 0) return stroke;
        const [[x1, y1, t1], [x2, y2, t2]] = [stroke[next - 1], stroke[next]];
        const share = (time - t1) / (t2 - t1);
        return [...stroke.slice(0, next), [x1 + (x2 - x1) * share, y1 + (y2 - y1) * share]];
    });
}

// A mouse and a finger report a pressure that nobody exerts.
function penPressure(event) {
    return event.pointerType === "pen" ? event.pressure : 0;
}

function pause(seconds) {
    return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}

const text = (id) => document.getElementById(id).textContent;
Engine.load(text("engine").trim()).then((engine) => {
    window.tracer = new Page(engine, JSON.parse(text("glyphs")).glyphs);
}, (error) => {
    document.getElementById("status").textContent = `This browser cannot run the page: ${error.message}.`;
});
