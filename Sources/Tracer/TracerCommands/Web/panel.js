"use strict";

// The words and buttons for grown-ups: the verdict with its reasons, settings, recordings and the progress.
class Panel {
    constructor(page) {
        this.page = page;
        const ids = ["panel", "open", "close", "summary", "reasons", "set", "letter", "language", "undo", "replay", "save", "load", "forget", "file",
            "record", "hold"];
        this.elements = Object.fromEntries(ids.map((id) => [id, document.getElementById(id)]));
        const { language } = this.elements;
        language.replaceChildren(...Object.entries(Words).map(([code, { name }]) => new Option(name, code)));
        language.value = page.texts.language;
        this.#listen();
    }

    get isOpen() {
        return this.elements.panel.open;
    }

    // Lists the sets of the built-in letters, and the letters of the chosen one.
    list() {
        const { glyphs, texts, set } = this.page;
        this.elements.set.replaceChildren(...Object.keys(Sets).map((name) => new Option(texts.get(name), name)));
        this.elements.set.value = set;
        this.elements.set.parentElement.hidden = !this.page.isBuiltIn;
        this.elements.letter.replaceChildren(...glyphs.map(({ name }, index) => new Option(title(name, texts), String(index))));
        this.elements.letter.value = String(this.page.index ?? 0);
    }

    // Shows what the trace is and why.
    show() {
        if (!this.isOpen) return;
        const { engine, texts } = this.page;
        this.elements.summary.textContent = document.getElementById("status").textContent;
        const reasons = engine.strokes().length > 0 ? engine.reasons() : [];
        for (const name of ["undo", "replay", "save"]) this.elements[name].disabled = engine.strokes().length === 0;
        this.elements.reasons.replaceChildren(...reasons.map((reason) => {
            const item = document.createElement("li");
            item.textContent = texts.reason(reason);
            return item;
        }));
        this.#showProgress();
    }

    // Shows the last recording of each finished letter.
    #showProgress() {
        const { library, progress, texts } = this.page;
        const finished = library.filter(({ name }) => progress.of(name));
        this.elements.record.replaceChildren(...finished.map(({ name }) => {
            const { recording } = progress.of(name);
            const [item, picture] = [document.createElement("li"), document.createElement("canvas")];
            [picture.width, picture.height] = [128, 160];
            drawThumbnail(picture, recording);
            item.append(picture, document.createElement("br"), `${title(name, texts)}: ${texts.tries(progress.of(name))}`);
            return item;
        }));
    }

    #listen() {
        const { page } = this;
        const { panel, open, close, set, letter, language, load, forget, file } = this.elements;
        const on = (element, name, action) => element.addEventListener(name, action);
        this.#listenForGrownUps(open);
        on(close, "click", () => panel.close());
        // A click beside the panel has the panel itself as its target, and so has one on its edge. So has the click of the
        // finger that opened the panel, but it came down before.
        on(panel, "pointerdown", ({ target }) => (this.isPressed = target === panel));
        on(panel, "click", ({ target, offsetX, offsetY }) => {
            const isOutside = offsetX < 0 || offsetY < 0 || offsetX > panel.clientWidth || offsetY > panel.clientHeight;
            if (target === panel && isOutside && this.isPressed) panel.close();
        });
        on(set, "change", () => {
            page.progress.set("set", set.value);
            page.useSet(set.value);
        });
        on(letter, "change", () => page.choose(Number(letter.value)));
        on(language, "change", () => {
            page.progress.set("language", language.value);
            page.texts = new Texts(language.value);
            page.texts.apply();
            page.useSet(page.set);
        });
        for (const name of ["undo", "save"]) on(this.elements[name], "click", () => (name === "save" ? this.save() : page.undo()));
        on(this.elements.replay, "click", () => {
            panel.close();
            page.replay();
        });
        on(forget, "click", () => {
            if (!confirm(page.texts.get("forgetAll"))) return;
            page.clear();
            page.progress.forget();
            page.resize();
            this.show();
        });
        on(load, "click", () => file.click());
        on(file, "change", async () => {
            if (file.files.length > 0) this.load(await file.files[0].text());
            file.value = "";
        });
    }

    open() {
        this.isPressed = false;
        this.elements.hold.hidden = true;
        this.elements.panel.showModal();
        this.show();
    }

    // A pointer has to stay for a second, so a child does not open the panel by chance. A tap shows how to open it. A key
    // and most assistive technology cause a click without a pointer, which opens the panel at once.
    #listenForGrownUps(button) {
        const { hold } = this.elements;
        let timers = [];
        const on = (name, action) => button.addEventListener(name, action);
        const release = () => {
            button.classList.remove("held");
            clearTimeout(timers[0]);
        };
        on("pointerdown", () => {
            release();
            button.classList.add("held");
            timers[0] = setTimeout(() => {
                release();
                this.open();
            }, 1000);
        });
        for (const name of ["pointerup", "pointercancel", "pointerleave"]) on(name, release);
        on("contextmenu", (event) => event.preventDefault());
        on("click", ({ detail }) => {
            if (this.isOpen) return;
            if (detail === 0) return this.open();
            hold.hidden = false;
            clearTimeout(timers[1]);
            timers[1] = setTimeout(() => (hold.hidden = true), 4000);
        });
    }

    save() {
        const link = document.createElement("a");
        link.href = URL.createObjectURL(new Blob([JSON.stringify(this.page.recording())], { type: "application/json" }));
        link.download = `trace-${this.page.glyph.name}.json`;
        link.click();
        URL.revokeObjectURL(link.href);
    }

    // Reads a recording or a glyph set.
    load(text) {
        const { page } = this;
        const { texts } = page;
        let value;
        try {
            value = JSON.parse(text);
        } catch (error) {
            return page.say(texts.get("noJSON", error.message));
        }
        if (value?.["tracer-glyphs"] === 1 && isGlyphSet(value)) return page.useGlyphs(value);
        if (value?.tracer !== 1 || !Array.isArray(value.strokes)) return page.say(texts.get("noFile"));
        const { width, height, threshold } = value;
        if (![width, height, threshold].every((length) => Number.isFinite(length) && length > 0)) return page.say(texts.get("noSize"));
        const isLetter = ({ name }) => name === value.letter;
        if (!page.library.some(isLetter)) return page.say(texts.get("noLetter", value.letter));
        if (!page.glyphs.some(isLetter)) page.useSet(Object.keys(Sets).find((set) => page.isIn(set, value.letter)));
        page.choose(page.glyphs.findIndex(isLetter), { width, height, threshold });
        page.draw(value.strokes);
    }
}

// Draws the strokes of a recording, without gaps where the pen was lifted and went on.
function drawThumbnail(canvas, { width, height, threshold, strokes }) {
    const context = canvas.getContext("2d");
    const scale = Math.min(canvas.width / width, canvas.height / height);
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue("--on-path").trim();
    context.lineWidth = 5 / scale;
    [context.lineCap, context.lineJoin] = ["round", "round"];
    context.beginPath();
    let last = [NaN, NaN];
    for (const stroke of strokes) {
        const [[x, y]] = stroke;
        if (!(Math.hypot(x - last[0], y - last[1]) < 1.5 * threshold)) context.moveTo(x, y);
        for (const [x, y] of stroke) context.lineTo(x, y);
        last = stroke.at(-1);
    }
    context.stroke();
}
