"use strict";

// The progress of a learner, kept in the browser: for each letter the best points, how often it was finished, and the
// mistakes, hints and recording of the last time. Without storage, it lasts as long as the page.
class Progress {
    static #key = "tracer-progress";
    // The letter in progress has a key of its own, because it changes with each stroke.
    static #current = "tracer-letter";

    constructor() {
        const language = (navigator.language || "en").slice(0, 2);
        this.state = { letters: {}, sound: true, set: "all", ordered: true, cues: false, language };
        try {
            const saved = JSON.parse(localStorage.getItem(Progress.#key));
            if (saved?.letters && typeof saved.letters === "object") Object.assign(this.state, saved);
        } catch {
            // No storage, or not by this page.
        }
    }

    of(name) {
        return Object.hasOwn(this.state.letters, name) ? this.state.letters[name] : null;
    }

    finish(name, result) {
        const { points = 0, times = 0 } = this.of(name) ?? {};
        this.state.letters[name] = { ...result, points: Math.max(points, result.points), times: times + 1 };
        this.save();
    }

    set(name, value) {
        this.state[name] = value;
        this.save();
    }

    // Forgets all letters, and the one in progress.
    forget() {
        this.set("letters", {});
        try {
            localStorage.removeItem(Progress.#current);
        } catch {
            // The storage is not permitted, so it is empty.
        }
    }

    save() {
        Progress.#store(Progress.#key, this.state);
    }

    // The letter in progress with its strokes, mistakes and hints.
    get current() {
        try {
            const { letter, strokes, mistakes, hints } = JSON.parse(localStorage.getItem(Progress.#current));
            const isValid = Array.isArray(strokes) && isStrokes(strokes) && [mistakes, hints].every(Number.isInteger);
            return isValid ? { letter, strokes, mistakes, hints } : null;
        } catch {
            return null;
        }
    }

    keep(current) {
        Progress.#store(Progress.#current, current);
    }

    static #store(key, value) {
        try {
            localStorage.setItem(key, JSON.stringify(value));
        } catch {
            // The storage is full or not permitted.
        }
    }
}

const starShape = "M10 2l2.5 5.4 5.9.7-4.4 4 1.2 5.9-5.2-3-5.2 3L6 12.1l-4.4-4 5.9-.7z";

// The row of letters, which a finger can push.
class ProgressRow {
    constructor(element, progress, choose) {
        [this.element, this.progress, this.choose] = [element, progress, choose];
        element.addEventListener("scroll", () => this.#fadeEnds());
    }

    // Fades an end of the row that goes on there.
    #fadeEnds() {
        const { scrollLeft, scrollWidth, clientWidth, style } = this.element;
        style.setProperty("--before", scrollLeft > 1 ? "transparent" : "#000");
        style.setProperty("--after", scrollLeft < scrollWidth - clientWidth - 1 ? "transparent" : "#000");
    }

    show(glyphs, current, texts) {
        this.element.setAttribute("aria-label", texts.get("progress"));
        this.element.replaceChildren(...glyphs.map(({ name }, index) => {
            const button = document.createElement("button");
            const isDone = this.progress.of(name) !== null;
            button.type = "button";
            button.className = isDone ? "done" : "";
            button.tabIndex = index === current ? 0 : -1;
            button.append(name.endsWith(".alt") && name.length > 4 ? name.slice(0, -4) : name);
            button.insertAdjacentHTML("beforeend", `<svg viewBox="0 0 20 20" aria-hidden="true"><path d="${starShape}"/></svg>`);
            button.setAttribute("aria-label", title(name, texts) + (isDone ? `, ${texts.get("star")}` : ""));
            if (index === current) button.setAttribute("aria-current", "true");
            button.addEventListener("click", () => this.choose(index));
            return button;
        }));
        const { offsetLeft, offsetWidth } = this.element.children[current];
        this.element.scrollLeft = offsetLeft + (offsetWidth - this.element.clientWidth) / 2;
        this.#fadeEnds();
    }
}
