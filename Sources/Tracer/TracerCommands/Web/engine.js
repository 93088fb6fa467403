"use strict";

// The results of a touch, as in WebSession.Result.
const Result = { onPath: 1, offPath: 2, outOfOrder: 4, completesTrace: 8, scribbles: 16 };

// The kinds of cues, as in TraceCues.
const Cue = { writingLines: 1, ends: 2, arrows: 4, starts: 8, numbers: 16 };

// The functions of the WebAssembly module, with lists in place of addresses.
class Engine {
    // Reads the module: a zlib stream in hexadecimal digits.
    static async load(text) {
        const packed = Uint8Array.from(text.match(/../g), (digits) => parseInt(digits, 16));
        const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
        const module = await new Response(stream).arrayBuffer();
        return new Engine((await WebAssembly.instantiate(module)).instance.exports);
    }

    constructor(functions) {
        this.functions = functions;
    }

    #write(numbers) {
        const address = this.functions.input(numbers.length);
        new Float64Array(this.functions.memory.buffer, address, numbers.length).set(numbers);
    }

    #read(name) {
        const count = this.functions[name]();
        return new Float64Array(this.functions.memory.buffer, this.functions.output(), count).slice();
    }

    // Starts a trace of a glyph of a glyph set; false if it is not one. Without a threshold, it is a share of the box.
    start(glyph, { width, height, threshold = 0, ordered }) {
        this.#write(Engine.numbers(glyph));
        return this.functions.start(width, height, threshold, ordered ? 1 : 0) === 1;
    }

    // The threshold of the trace in view units.
    get threshold() {
        return this.functions.threshold();
    }

    static numbers(glyph) {
        const numbers = [glyph.strokes.length];
        for (const stroke of glyph.strokes) {
            numbers.push(stroke.length);
            for (const [letter, ...values] of stroke) numbers.push(letter.charCodeAt(0), values.length, ...values);
        }
        const orders = glyph.orders ?? [];
        // A step is the number of a path, or zero, the number, the index in its stroke and the part of the path.
        const steps = (stroke) => [stroke].flat().map((step, index) => [step.path ?? step, index, step.from ?? 0, step.to ?? 1]);
        numbers.push(orders.length);
        for (const order of orders) {
            const list = order.flatMap(steps);
            numbers.push(list.length);
            for (const [path, index, from, to] of list) {
                if (index === 0 && from === 0 && to === 1) numbers.push(path);
                else numbers.push(0, path, index, from, to);
            }
        }
        const lines = glyph.lines ?? [];
        numbers.push(lines.length, ...lines);
        const box = glyph.box ?? [];
        numbers.push(box.length, ...box);
        return numbers;
    }

    begin(x, y, time, touch) {
        return this.functions.begin(x, y, time, touch);
    }

    move(x, y, time, touch) {
        return this.functions.move(x, y, time, touch);
    }

    end(touch) {
        this.functions.end(touch);
    }

    cancel(touch) {
        this.functions.cancel(touch);
    }

    undo() {
        return this.functions.undo() === 1;
    }

    reset() {
        this.functions.reset();
    }

    // Draws recorded strokes; false if they are none.
    replay(strokes) {
        this.#write([strokes.length, ...strokes.flatMap((stroke) => [stroke.length, ...stroke.flatMap(Engine.sample)])]);
        return this.functions.replay() === 1;
    }

    static sample([x, y, time]) {
        return [x, y, time ?? 0];
    }

    // The paths and the key points, as lists of [x, y].
    geometry() {
        const reader = new Reader(this.#read("geometry"));
        return { paths: reader.list(() => reader.list(() => reader.take(2))), stars: reader.list(() => reader.take(2)) };
    }

    // The shapes of the cues: the kind as in Cue, the width of the line, and the points.
    cues() {
        const reader = new Reader(this.#read("cues"));
        return reader.list(() => {
            const [kind, width] = reader.take(2);
            return { kind, width, points: reader.list(() => reader.take(2)) };
        });
    }

    // The index of the path that ordered mode expects, or -1, and a Boolean value for each path that is drawn.
    progress() {
        const [expected, ...isDone] = this.#read("progress");
        return { expected, isDone: isDone.map((value) => value === 1) };
    }

    // The number of mistakes, and the index of the path that a hint shows, or -1.
    mistakes() {
        const [count, hint] = this.#read("mistakes");
        return { count, hint };
    }

    // The index of the line that completed the trace, or -1.
    get completionLine() {
        return this.functions.completion_line();
    }

    // The strokes, as lists of [x, y, time].
    strokes() {
        return this.#strokes("strokes");
    }

    // The strokes of a hand that draws the letter.
    demonstration() {
        return this.#strokes("demonstration");
    }

    #strokes(name) {
        const reader = new Reader(this.#read(name));
        return reader.list(() => reader.list(() => reader.take(3)));
    }

    lines() {
        const reader = new Reader(this.#read("lines"));
        return reader.list(() => {
            const [stroke, result, ...ends] = reader.take(6);
            return { stroke, result, ends };
        });
    }

    // An arrow that shows how the stroke goes on, or the point of a dot, and the part of the stroke that is drawn; null in
    // free mode and at the end.
    hint() {
        const reader = new Reader(this.#read("hint"));
        if (reader.numbers.length === 0) return null;
        return { arrow: reader.list(() => reader.take(2)), drawn: reader.list(() => reader.take(2)) };
    }

    // The completion, which is 1 only for a complete trace.
    get completion() {
        return this.functions.completion();
    }

    score() {
        const [completion, coverage, accuracy, deviation, points, complete, accepted] = this.#read("score");
        return { completion, coverage, accuracy, deviation, points, complete: complete === 1, accepted: accepted === 1 };
    }

    reasons() {
        const text = new TextDecoder().decode(Uint8Array.from(this.#read("reasons")));
        return text === "" ? [] : text.split("\n");
    }
}

class Reader {
    constructor(numbers) {
        this.numbers = numbers;
        this.place = 0;
    }

    take(count) {
        this.place += count;
        return Array.from(this.numbers.subarray(this.place - count, this.place));
    }

    list(element) {
        return Array.from({ length: this.take(1)[0] }, element);
    }
}

function isStrokes(strokes) {
    return strokes.every((stroke) => Array.isArray(stroke)
        && stroke.every((sample) => Array.isArray(sample) && sample.length >= 2 && sample.every(Number.isFinite)));
}

function isGlyphSet({ glyphs }) {
    return Array.isArray(glyphs) && glyphs.length > 0 && glyphs.every((glyph) =>
        typeof glyph?.name === "string" && Array.isArray(glyph.strokes) && glyph.strokes.every((stroke) =>
            typeof stroke === "string" || (Array.isArray(stroke) && stroke.every((part) =>
                Array.isArray(part) && typeof part[0] === "string"))));
}

// Returns a glyph whose strokes are lists of parts. The browser reads those that are strings of path data.
function withParts(glyph) {
    return { ...glyph, strokes: glyph.strokes.flatMap((stroke) => (typeof stroke === "string" ? partsOf(stroke) : [stroke])) };
}

// Returns each stroke of path data as a polyline.
function partsOf(data) {
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    let [read, length] = ["", 0];
    return data.split(/(?=[Mm])/).filter((part) => part.trim() !== "").flatMap((part) => {
        read += part;
        path.setAttribute("d", read);
        const [start, end] = [length, path.getTotalLength()];
        length = end;
        if (isMove(part)) return [];
        const count = Math.max(1, Math.min(200, Math.ceil((end - start) / 2)));
        return [Array.from({ length: count + 1 }, (_, index) => {
            // At its very start, the length is also that of the end of the stroke before.
            const { x, y } = path.getPointAtLength(start + (end - start) * Math.max(index / count, 1e-6));
            return [index === 0 ? "M" : "L", x, y];
        })];
    });
}

// Returns true for a move to a point without any other command, which draws nothing.
function isMove(part) {
    return /^[Mm][^a-df-z]*$/i.test(part) && part.match(/[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?/gi)?.length === 2;
}
