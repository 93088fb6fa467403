"use strict";

// The progress of a learner, kept in the browser: for each letter the best points, how often it was finished, and the last
// recording. Without storage, it lasts as long as the page.
class Progress {
    static #key = "tracer-progress";

    constructor() {
        this.state = { letters: {}, sound: true, set: "all", language: (navigator.language || "en").slice(0, 2) };
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

    finish(name, points, recording) {
        const { points: best = 0, times = 0 } = this.of(name) ?? {};
        this.state.letters[name] = { points: Math.max(best, points), times: times + 1, recording };
        this.save();
    }

    set(name, value) {
        this.state[name] = value;
        this.save();
    }

    forget() {
        this.set("letters", {});
    }

    save() {
        try {
            localStorage.setItem(Progress.#key, JSON.stringify(this.state));
        } catch {
            // The storage is full or not permitted.
        }
    }
}

const starShape = "M10 2l2.5 5.4 5.9.7-4.4 4 1.2 5.9-5.2-3-5.2 3L6 12.1l-4.4-4 5.9-.7z";

// The row of letters around the current one, as many as fit.
class ProgressRow {
    constructor(element, progress, choose) {
        [this.element, this.progress, this.choose] = [element, progress, choose];
    }

    show(glyphs, current, texts) {
        const room = Math.max(1, Math.floor((this.element.clientWidth + 4) / 48));
        const count = Math.min(room, glyphs.length);
        const first = Math.max(0, Math.min(current - Math.floor(count / 2), glyphs.length - count));
        this.element.setAttribute("aria-label", texts.get("progress"));
        this.element.replaceChildren(...glyphs.slice(first, first + count).map(({ name }, offset) => {
            const button = document.createElement("button");
            const isDone = this.progress.of(name) !== null;
            button.type = "button";
            button.className = isDone ? "done" : "";
            button.append(name.endsWith(".alt") && name.length > 4 ? name.slice(0, -4) : name);
            button.insertAdjacentHTML("beforeend", `<svg viewBox="0 0 20 20" aria-hidden="true"><path d="${starShape}"/></svg>`);
            button.setAttribute("aria-label", title(name, texts) + (isDone ? `, ${texts.get("star")}` : ""));
            if (first + offset === current) button.setAttribute("aria-current", "true");
            button.addEventListener("click", () => this.choose(first + offset));
            return button;
        }));
    }
}
