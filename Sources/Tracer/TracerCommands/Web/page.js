"use strict";

// The page of a learner: one letter, touches and keys around an engine and a drawing. A wrong stroke disappears, a right one
// is greeted, and after a finished letter the next one comes.
class Page {
    #pointers = new Map();
    #idlePointers = new Set();
    #widths = [];
    #strokeOf = new Map();
    #offsets = new Map();
    #start = null;
    // The time in seconds at which the drawing goes on: after the last sample of strokes that were drawn before.
    #resumedAt = 0;
    #pen = null;
    #lastPen = -Infinity;
    #replay = 0;
    #shown = -1;
    #isComplete = false;
    #isCropped = true;
    #done = 0;
    #timer = 0;
    #hints = 0;
    #wrong = null;
    #before = null;
    #earlierMistakes = 0;

    constructor(engine, glyphs) {
        this.engine = engine;
        this.elements = Object.fromEntries(
            ["canvas", "stage", "progress", "letter", "previous", "next", "ordered", "cues", "demonstrate", "status", "clear", "sound",
                "undo", "replay"].map((id) => [id, document.getElementById(id)]));
        this.drawing = new Drawing(this.elements.canvas);
        this.progress = new Progress();
        this.texts = new Texts(this.progress.state.language);
        this.sound = new Sound();
        this.sound.isOn = this.progress.state.sound;
        this.row = new ProgressRow(this.elements.progress, this.progress, (index) => this.choose(index));
        for (const name of ["ordered", "cues"]) this.elements[name].checked = this.progress.state[name];
        this.panel = new Panel(this);
        this.texts.apply();
        const { current } = this.progress;
        this.useGlyphs(glyphs);
        this.#restore(current);
        this.#listen();
        this.#showSound();
    }

    // Uses the letters of a glyph set. Those of this page have the name "Tracer", and are divided into sets.
    useGlyphs({ name, glyphs }) {
        this.isBuiltIn = name === "Tracer";
        this.library = glyphs.map(withParts);
        this.useSet(this.progress.state.set);
    }

    // Uses a set of the letters. Keeps the letter and its drawing if the set has it.
    useSet(set) {
        const shown = this.glyph;
        this.set = Object.hasOwn(Sets, set) ? set : "all";
        this.glyphs = this.library.filter(({ name }) => this.isIn(this.set, name));
        this.panel.list();
        const index = this.glyphs.indexOf(shown);
        if (index < 0) return this.choose(Math.max(0, this.glyphs.findIndex(({ name }) => !this.progress.of(name))));
        this.index = index;
        this.elements.letter.value = String(index);
        this.resize();
        this.report();
    }

    isIn(set, name) {
        return !this.isBuiltIn || Sets[set](name, this.texts.get("alphabet"));
    }

    get glyph() {
        return this.glyphs?.[this.index];
    }

    // Shows the letter that was in progress when the page was left, with its strokes.
    #restore(current) {
        const index = this.glyphs.findIndex(({ name }) => name === current?.letter);
        if (index < 0) return;
        this.choose(index);
        [this.#earlierMistakes, this.#hints] = [current.mistakes, current.hints];
        this.draw(current.strokes);
    }

    // Keeps the letter in progress, without a stroke that is about to go away. After a finished letter, it is the next one,
    // and after a refused one the same without strokes.
    #keep() {
        // A loaded recording has a view of its own, and a loaded letter may be gone the next time.
        if (!this.isBuiltIn || !this.#isCropped) return;
        const isFinished = this.#isComplete && this.engine.score().accepted;
        const { name } = isFinished ? this.glyphs[(this.index + 1) % this.glyphs.length] : this.glyph;
        const strokes = this.#isComplete ? [] : this.engine.strokes();
        if (this.#wrong !== null && this.#wrong.stroke >= 0) strokes.splice(this.#wrong.stroke, 1);
        const [mistakes, hints] = this.#isComplete ? [0, 0] : [this.mistakes, this.#hints];
        this.progress.keep({ letter: name, strokes, mistakes, hints });
    }

    #countHint() {
        this.#hints++;
        this.#keep();
    }

    // The number of mistakes in the letter.
    get mistakes() {
        return this.#earlierMistakes + this.engine.mistakes().count;
    }

    get isOrdered() {
        return this.elements.ordered.checked;
    }

    // Shows a letter without lines. The view is that of the demo's recordings unless another one is given.
    choose(index, given = null) {
        const view = given ?? { width: 320, height: 400 };
        this.index = index;
        this.#isCropped = given === null;
        this.elements.letter.value = String(index);
        this.#forget();
        const isStarted = this.engine.start(this.glyph, { ...view, ordered: this.isOrdered });
        this.drawing.view = { ...view, threshold: this.engine.threshold };
        this.row.show(this.glyphs, index, this.texts);
        this.resize();
        if (!isStarted) return this.say(this.texts.get("noTrace", this.glyph.name));
        this.report();
    }

    step(distance) {
        this.choose((this.index + distance + this.glyphs.length) % this.glyphs.length);
    }

    // Judges the strokes again, by order or not.
    judgeAgain() {
        const strokes = this.engine.strokes();
        const { width, height, threshold } = this.drawing.view;
        this.#earlierMistakes = this.mistakes;
        this.engine.start(this.glyph, { width, height, threshold, ordered: this.isOrdered });
        this.engine.replay(strokes);
        this.#changed();
    }

    resize() {
        this.drawing.geometry = { ...this.engine.geometry(), cues: this.#cues() };
        this.drawing.resize(this.#isCropped);
        this.row.show(this.glyphs, this.index, this.texts);
        this.redraw();
    }

    #cues() {
        return this.engine.cues().filter(({ kind }) => kind === Cue.writingLines || this.elements.cues.checked);
    }

    // What is drawn and what comes next. While a wrong stroke fades, that is what was so before that stroke.
    get #outlook() {
        return this.#wrong === null ? { progress: this.engine.progress(), hint: this.engine.hint() } : this.#before;
    }

    redraw() {
        const drawn = [];
        const { progress, hint } = this.#outlook;
        // The arrow of the next point takes the place of other arrows.
        if (this.elements.cues.checked && this.#wrong === null) this.drawing.geometry.cues = this.#cues();
        this.drawing.guide(progress, hint?.drawn);
        const lines = this.engine.lines().map((line) => {
            drawn[line.stroke] = (drawn[line.stroke] ?? -1) + 1;
            return { ...line, sample: drawn[line.stroke] };
        });
        const isWrong = ({ stroke }) => stroke === this.#wrong?.stroke;
        this.drawing.lines(lines.filter((line) => !isWrong(line)), this.#widthOf, this.#isComplete);
        this.drawing.win(progress, hint?.drawn);
        if (this.#wrong !== null) {
            const wrong = lines.filter(isWrong);
            // No part of a wrong stroke looks right.
            const fault = wrong.some(({ result }) => result & Result.outOfOrder) ? Result.outOfOrder : Result.offPath;
            this.#wrong.lines = wrong.map((line) => (line.result & Result.onPath ? { ...line, result: fault } : line));
        }
        this.show();
    }

    #widthOf = ({ stroke, sample }) => this.#widths[stroke]?.[sample] ?? this.drawing.penWidth;

    // Shows the next point, which pulses unless motion is to be reduced. A wrong stroke fades.
    show() {
        const { hint } = this.engine.mistakes();
        const now = performance.now();
        const pulse = isCalm() ? 0.5 : (now % 1000) / 1000;
        const next = this.#pointers.size > 0 ? null : this.#outlook.hint;
        this.drawing.show(next, this.#pen, this.drawing.geometry.paths[hint] ?? null, pulse);
        if (this.#wrong === null) return;
        // A tap is as large as a finger, which hid it.
        const isTap = this.#wrong.lines.length < 4;
        const width = isTap ? () => this.drawing.view.threshold : this.#widthOf;
        this.drawing.fade(this.#wrong.lines, width, isCalm() ? 0 : (now - this.#wrong.start) / fadeTime);
    }

    // Draws one touch: begins a stroke, or continues it. Of touches at once, only the last one shows stars and hint.
    touch(pointer, [x, y], time, pressure = 0, isLast = true) {
        this.#replay++;
        this.#start ??= time;
        const width = this.drawing.penWidth * (pressure > 0 ? 0.5 + pressure : 1);
        const isNew = !this.#pointers.has(pointer);
        if (isNew) this.#wrong?.remove();
        if (isNew && this.#pointers.size === 0) this.#before = this.#outlook;
        const id = isNew ? this.#freeTouch() : this.#pointers.get(pointer).id;
        const last = isNew ? [x, y] : this.#pointers.get(pointer).point;
        const seconds = this.#resumedAt + (time - this.#start) / 1000;
        const result = isNew ? this.engine.begin(x, y, seconds, id) : this.engine.move(x, y, seconds, id);
        if (result === 0) return;
        if (isNew) {
            this.#strokeOf.set(pointer, this.#widths.length);
            this.#widths.push([]);
        }
        const scribbles = ((result & Result.scribbles) !== 0) || (this.#pointers.get(pointer)?.scribbles ?? false);
        this.#widths[this.#strokeOf.get(pointer)].push(width);
        this.#pointers.set(pointer, { id, point: [x, y], scribbles });
        this.#isComplete ||= (result & Result.completesTrace) !== 0;
        if (result & Result.completesTrace) return this.redraw();
        this.drawing.lines([{ result, ends: [...last, x, y] }], () => width, this.#isComplete);
        if (!isLast) return;
        this.drawing.win(this.engine.progress(), this.engine.hint()?.drawn);
        this.show();
    }

    #freeTouch() {
        const used = new Set([...this.#pointers.values()].map(({ id }) => id));
        let id = 0;
        while (used.has(id)) id++;
        return id;
    }

    // Ends a stroke. Greets one that finishes a stroke of the letter, and removes a wrong one.
    lift(pointer) {
        const contact = this.#pointers.get(pointer);
        if (!contact) return;
        const before = this.engine.mistakes().count;
        const done = this.#done;
        this.#done = this.#countDone();
        this.engine.end(contact.id);
        this.#pointers.delete(pointer);
        this.redraw();
        if (this.#isComplete) {
            this.#finish();
        } else if (contact.scribbles || this.engine.mistakes().count > before) {
            this.#refuse();
        } else if (this.#done > done) {
            this.#greet("right");
        } else {
            this.elements.stage.className = "";
            this.report();
        }
    }

    #countDone() {
        return this.engine.progress().isDone.filter(Boolean).length;
    }

    #greet(kind, text = kind) {
        this.sound[kind]();
        this.elements.stage.className = kind;
        this.report(this.texts.get(text));
    }

    // Shakes a wrong stroke, which then goes away by itself.
    #refuse() {
        const count = this.engine.strokes().length;
        // The last stroke may be that of another finger.
        const stroke = this.#pointers.size > 0 ? -1 : count - 1;
        const remove = () => {
            clearTimeout(timer);
            this.#wrong = null;
            this.elements.stage.className = "";
            const isLast = stroke >= 0 && this.#pointers.size === 0 && this.engine.strokes().length === count;
            if (!isLast || !this.engine.undo()) return this.redraw();
            this.#widths.pop();
            this.#changed();
            const { hint } = this.engine.mistakes();
            if (hint < 0) return;
            this.#countHint();
            this.demonstrate(hint);
        };
        const timer = setTimeout(() => {
            // The child may have begun again.
            if (this.#wrong?.remove === remove) remove();
        }, fadeTime);
        this.#wrong = { start: performance.now(), stroke, remove, lines: [] };
        this.#greet("wrong");
        this.redraw();
    }

    // Greets a finished letter. After an accepted one, the next letter comes; another one shakes and begins again, and the
    // page shows how to draw it.
    #finish() {
        if (this.#timer !== 0) return;
        const { accepted, points } = this.engine.score();
        if (!accepted) {
            this.#greet("wrong", "wrongLetter");
            this.#timer = setTimeout(() => {
                this.clear();
                this.#countHint();
                this.demonstrate();
            }, 1.5 * fadeTime);
            return;
        }
        this.progress.finish(this.glyph.name, { points, mistakes: this.mistakes, hints: this.#hints, recording: this.recording() });
        this.row.show(this.glyphs, this.index, this.texts);
        this.#greet("right");
        this.sound.complete();
        this.elements.next.classList.add("calls");
        this.#timer = setTimeout(() => this.#advance(), 3500);
        this.#celebrate();
    }

    // Shows the next letter, but not under a finger that still plays on the finished one.
    #advance() {
        if (this.#idlePointers.size + this.#pointers.size === 0) return this.step(1);
        this.#timer = setTimeout(() => this.#advance(), 500);
    }

    // Lets stars fly; shows them at once if motion is to be reduced.
    async #celebrate() {
        const number = ++this.#replay;
        const start = performance.now();
        for (let share = isCalm() ? 1 : 0; number === this.#replay; share = (performance.now() - start) / 1500) {
            this.drawing.show(null, null);
            this.drawing.celebrate(Math.min(share, 1));
            if (share >= 1) return;
            await new Promise(requestAnimationFrame);
        }
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
        if (!this.engine.undo()) return this.say(this.texts.get("nothing"));
        this.#widths.pop();
        this.#pointers.clear();
        this.#changed();
    }

    clear() {
        this.#forget();
        this.engine.reset();
        this.#changed();
    }

    #forget() {
        this.#replay++;
        clearTimeout(this.#timer);
        this.#pointers.clear();
        this.#strokeOf.clear();
        [this.#widths, this.#start, this.#isComplete, this.#timer, this.#wrong] = [[], null, false, 0, null];
        [this.#pen, this.#done, this.#hints, this.#earlierMistakes, this.#resumedAt] = [null, 0, 0, 0, 0];
        this.elements.stage.className = "";
        this.elements.next.classList.remove("calls");
    }

    #changed() {
        this.#isComplete = this.engine.completion === 1;
        this.#done = this.#countDone();
        this.redraw();
        this.report();
    }

    // Says what is drawn and what comes next, after what was just done.
    report(text = "") {
        const { texts, engine } = this;
        const score = engine.score();
        const { expected } = engine.progress();
        const { hint } = engine.mistakes();
        const percent = Math.floor(score.completion * 100);
        const drawn = percent === 0 ? texts.get("nothingDrawn") : texts.get("drawn", percent);
        const parts = [text, score.complete ? texts.get("complete", score.points) : drawn];
        if (expected >= 0) parts.push(texts.get("nextStroke", expected + 1));
        if (this.mistakes > 0) parts.push(texts.get("mistakes", this.mistakes));
        if (hint >= 0) parts.push(texts.get("hint", hint + 1));
        this.say(parts.join(" ").trim());
        this.#keep();
        this.elements.canvas.setAttribute("aria-label",
            `${texts.get("letterOf", title(this.glyph.name, texts))}. ${texts.get("strokes", this.glyph.strokes.length)}`);
    }

    say(text) {
        this.elements.status.textContent = text;
        this.panel.show();
    }

    // Draws the lines again at the speed of the hand; pauses of more than half a second are shortened.
    async replay() {
        const [strokes, lines] = [this.engine.strokes(), this.engine.lines()];
        const number = this.#shown = ++this.#replay;
        const drawn = strokes.map(() => -1);
        this.drawing.guide(this.engine.progress());
        let last = 0;
        const completion = this.engine.completionLine;
        for (const [index, line] of lines.entries()) {
            const time = strokes[line.stroke][++drawn[line.stroke]][2];
            if (!isCalm() && time > last) await pause(Math.min(time - last, 0.5));
            if (number !== this.#replay) return;
            last = Math.max(last, time);
            // All lines turn green with the one that completes the letter.
            if (index === completion) {
                this.drawing.guide(this.engine.progress());
                this.drawing.win(this.engine.progress());
                this.drawing.lines(lines.slice(0, index), () => this.drawing.penWidth, true);
            }
            // The line wins the stars that it passes.
            const [x1, y1, x2, y2] = line.ends;
            if (line.result & Result.onPath) this.drawing.win({ isDone: [] }, [[x1, y1], [x2, y2]]);
            this.drawing.lines([line], () => this.drawing.penWidth, completion >= 0 && index >= completion);
            this.drawing.show(null, null);
        }
        this.#endShow();
    }

    #endShow() {
        this.#shown = -1;
        this.redraw();
    }

    // Shows a hand that draws the letter, or only one of its strokes. If motion is to be reduced, it shows stills.
    async demonstrate(only = null) {
        const all = this.engine.demonstration();
        const strokes = only === null ? all : all.slice(only, only + 1).map(fromZero);
        if (strokes.length === 0) return;
        const number = this.#shown = ++this.#replay;
        const end = strokes.at(-1).at(-1)[2];
        const start = performance.now();
        const isStill = isCalm();
        for (let time = isStill ? stillTime : 0; ; time = isStill ? time + stillTime : (performance.now() - start) / 1000) {
            this.drawing.demonstrate(partsUntil(strokes, time), isStill);
            if (time >= end) break;
            await (isStill ? pause(0.6) : new Promise(requestAnimationFrame));
            if (number !== this.#replay) return;
        }
        await pause(1);
        if (number === this.#replay) this.#endShow();
    }

    recording() {
        const { width, height, threshold } = this.drawing.view;
        return { tracer: 1, letter: this.glyph.name, width, height, threshold, strokes: this.engine.strokes() };
    }

    // Shows the strokes of a recording.
    draw(strokes) {
        if (!isStrokes(strokes) || !this.engine.replay(strokes)) return this.say(this.texts.get("noStrokes"));
        this.#widths = strokes.map(() => []);
        // The engine draws samples in the order of their times.
        this.#resumedAt = strokes.flat().reduce((last, [, , time = 0]) => Math.max(last, time), 0);
        this.#changed();
    }

    #listen() {
        const { canvas, ordered, sound } = this.elements;
        const on = (element, name, action) => element.addEventListener(name, action);
        on(canvas, "pointerdown", (event) => {
            try {
                // Outside the window, the release of any other button than the first one is not heard of otherwise.
                canvas.setPointerCapture(event.pointerId);
            } catch {
                // A pointer that has left already cannot be captured.
            }
            if (!this.#draws(event)) {
                this.#idlePointers.add(event.pointerId);
                return;
            }
            // The side of the hand that holds a pen may be there first.
            if (event.pointerType === "pen") for (const hand of [...this.#pointers.keys()]) this.cancel(hand);
            this.#catch(event);
            this.touch(event.pointerId, this.#position(event), event.timeStamp, penPressure(event));
        });
        on(canvas, "pointermove", (event) => {
            if (event.pointerType === "pen") this.#lastPen = event.timeStamp;
            if (!this.#pointers.has(event.pointerId)) return;
            const events = event.getCoalescedEvents?.() ?? [];
            const parts = events.length > 0 ? events : [event];
            for (const part of parts) {
                this.touch(event.pointerId, this.#position(part), part.timeStamp, penPressure(part), part === parts.at(-1));
            }
        });
        on(canvas, "pointerup", (event) => this.lift(event.pointerId));
        on(canvas, "pointercancel", (event) => this.cancel(event.pointerId));
        // Unlike the canvas, the window hears of a mouse that leaves.
        for (const name of ["pointerup", "pointercancel"]) on(window, name, (event) => this.#idlePointers.delete(event.pointerId));
        on(canvas, "contextmenu", (event) => event.preventDefault());
        on(canvas, "keydown", (event) => this.#key(event));
        on(canvas, "blur", () => this.#movePen(null));
        on(ordered, "change", () => {
            this.progress.set("ordered", this.isOrdered);
            this.judgeAgain();
        });
        on(this.elements.cues, "change", () => {
            this.progress.set("cues", this.elements.cues.checked);
            this.resize();
        });
        on(this.elements.previous, "click", () => this.step(-1));
        on(this.elements.next, "click", () => this.step(1));
        on(this.elements.clear, "click", () => this.clear());
        on(this.elements.demonstrate, "click", () => {
            this.#countHint();
            this.demonstrate();
        });
        on(sound, "click", () => {
            this.sound.isOn = !this.sound.isOn;
            this.progress.set("sound", this.sound.isOn);
            this.#showSound();
            this.sound.right();
        });
        on(window, "resize", () => this.resize());
        on(matchMedia("(prefers-color-scheme: dark)"), "change", () => {
            this.resize();
            this.panel.show();
        });
        const pulse = () => {
            if (this.#isIdle && !isCalm()) this.show();
            requestAnimationFrame(pulse);
        };
        if (!isCalm()) requestAnimationFrame(pulse);
    }

    // Catches a finger that comes down beside the next point, which it hides: the stroke begins half as far from it, and
    // is where the finger is after three thresholds.
    #catch(event) {
        const [x, y] = this.drawing.position(event);
        const point = this.engine.hint()?.arrow[0] ?? [x, y];
        const offset = [(point[0] - x) / 2, (point[1] - y) / 2];
        const distance = Math.hypot(...offset) / this.drawing.view.threshold;
        const isBeside = event.pointerType === "touch" && distance > 0.25 && distance < 0.75;
        this.#offsets.set(event.pointerId, { x, y, offset: isBeside ? offset : [0, 0] });
    }

    #position(event) {
        const [x, y] = this.drawing.position(event);
        const begin = this.#offsets.get(event.pointerId);
        if (begin === undefined) return [x, y];
        const way = Math.hypot(x - begin.x, y - begin.y) / this.drawing.view.threshold;
        const part = Math.max(0, 1 - way / 3);
        return [x + begin.offset[0] * part, y + begin.offset[1] * part];
    }

    get #isIdle() {
        return this.#pointers.size === 0 && !this.#isComplete && this.#shown !== this.#replay;
    }

    // Only the first button draws: not an eraser, a barrel button or a palm, nor a hand beside a pen.
    #draws(event) {
        if (event.pointerType === "pen") this.#lastPen = event.timeStamp;
        const isBesidePen = event.pointerType === "touch" && event.timeStamp - this.#lastPen < 2000;
        const isPalm = event.pointerType === "touch" && Math.max(event.width, event.height) > 80;
        return event.button === 0 && !isBesidePen && !isPalm && !(this.#isComplete && this.#timer !== 0);
    }

    #showSound() {
        this.elements.sound.setAttribute("aria-pressed", String(this.sound.isOn));
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

// The time in milliseconds in which a wrong stroke fades.
const fadeTime = 1000;

// The time in seconds in which a demonstration goes on from one still to the next.
const stillTime = 0.4;

// The sets of the built-in letters: for each, whether it has a letter, for a language with letters besides A to Z.
const Sets = {
    all: (name, alphabet) => /^[a-z0-9]$/i.test(name) || alphabet.includes(name),
    capitals: (name, alphabet) => Sets.all(name, alphabet) && /\p{Lu}/u.test(name),
    small: (name, alphabet) => Sets.all(name, alphabet) && /\p{Ll}/u.test(name),
    digits: (name) => /^\d$/.test(name),
    marks: (name) => /^[^\0-\x7f]$/.test(name),
    forms: (name) => /^..+$/.test(name),
};

// The name of a glyph for readers.
function title(name, texts) {
    return name.length > 4 && name.endsWith(".alt") ? texts.get("form", name.slice(0, -4)) : name;
}

// Returns a stroke with times that begin at zero.
function fromZero(stroke) {
    return stroke.map(([x, y, time]) => [x, y, time - stroke[0][2]]);
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

function isCalm() {
    return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function pause(seconds) {
    return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}

const text = (id) => document.getElementById(id).textContent;
Engine.load(text("engine").trim()).then((engine) => {
    window.tracer = new Page(engine, JSON.parse(text("glyphs")));
}, (error) => {
    document.getElementById("status").className = "";
    document.getElementById("status").textContent = new Texts("en").get("noEngine", error.message);
});
