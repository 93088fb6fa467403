"use strict";

// The words of the page in each language. `alphabet` has the letters that it has besides A to Z. The reasons are those of
// `TraceScore.Reason`, with `{}` for each number.
const Words = {
    en: {
        name: "English", alphabet: "", title: "Trace a letter", grownUps: "For grown-ups", open: "For grown-ups: hold for a second",
        hold: "Grown-ups: hold the button for a second.", close: "Close", letter: "Letter", set: "Letters",
        all: "letters and digits", capitals: "capital letters", small: "small letters", digits: "digits", marks: "letters with marks",
        forms: "other ways to write them", ordered: "check order and direction",
        cues: "numbers and arrows", language: "Language", undo: "Undo last stroke", replay: "Replay drawing",
        save: "Save drawing", load: "Open drawing or letters…",
        forget: "Forget progress", forgetAll: "Forget all stars and drawings?", progress: "Progress",
        previous: "Previous letter", next: "Next letter", again: "Start again",
        demonstrate: "Show me", sound: "Sound", star: "finished",
        keys: "By finger, pen or mouse; or by keyboard on the drawing: arrow keys move the pen, the space bar puts it down and "
            + "lifts it, Ctrl-Z undoes. “Open drawing or letters” reads recordings and glyph sets.",
        letterOf: "The letter {}", form: "{} (another way)", strokes: "Strokes: {}.", nextStroke: "Stroke {} is next.",
        complete: "All strokes are drawn. Neatness: {} of 100.", nothingDrawn: "Nothing is drawn yet.", drawn: "{} percent of the letter is drawn.",
        mistakes: "Wrong tries: {}.", hint: "A hint shows stroke {}.",
        right: "Right!", wrong: "Try this stroke again.", wrongLetter: "Try this letter again.", best: "neatness {} of 100",
        time: ["finished once", "finished {} times"], mistake: ["1 wrong try", "{} wrong tries"], aHint: ["1 hint", "{} hints"],
        last: "the last time {}",
        nothing: "There is nothing to undo.", noLetter: "There is no letter {}.", noTrace: "The letter {} cannot be traced in this view.",
        noJSON: "The file is no JSON: {}.", noFile: "The file is neither a recording nor a glyph set of Tracer.",
        noSize: "The view of the recording has no size.", noStrokes: "The strokes of the recording are not lists of numbers.",
        noEngine: "This browser cannot run the page: {}.",
        reasons: {},
    },
    de: {
        name: "Deutsch", alphabet: "ÄÖÜäöüß", title: "Buchstaben nachspuren", grownUps: "Für Erwachsene", open: "Für Erwachsene: eine Sekunde halten",
        hold: "Erwachsene: den Knopf eine Sekunde halten.", close: "Schließen", letter: "Buchstabe",
        set: "Buchstaben", all: "Buchstaben und Ziffern", capitals: "große Buchstaben", small: "kleine Buchstaben", digits: "Ziffern",
        marks: "Buchstaben mit Zeichen", forms: "andere Schreibweisen",
        ordered: "Reihenfolge und Richtung prüfen", cues: "Zahlen und Pfeile", language: "Sprache", undo: "Letzten Strich zurücknehmen",
        replay: "Zeichnung abspielen", save: "Zeichnung speichern", load: "Zeichnung oder Buchstaben öffnen…", forget: "Fortschritt löschen", forgetAll: "Alle Sterne und Zeichnungen löschen?",
        progress: "Fortschritt", previous: "Voriger Buchstabe",
        next: "Nächster Buchstabe", again: "Noch einmal", demonstrate: "Zeig es mir", sound: "Ton", star: "fertig",
        keys: "Mit Finger, Stift oder Maus; oder mit der Tastatur auf der Zeichnung: Pfeiltasten bewegen den Stift, die Leertaste "
            + "setzt ihn auf und hebt ihn ab, Strg-Z nimmt zurück. „Zeichnung oder Buchstaben öffnen“ liest Aufnahmen und Buchstabensätze.",
        letterOf: "Der Buchstabe {}", form: "{} (andere Schreibweise)", strokes: "Striche: {}.", nextStroke: "Als Nächstes kommt Strich {}.",
        complete: "Alle Striche sind gezeichnet. Sauberkeit: {} von 100.", nothingDrawn: "Es ist noch nichts gezeichnet.",
        drawn: "{} Prozent des Buchstabens sind gezeichnet.", mistakes: "Falsche Versuche: {}.",
        hint: "Ein Hinweis zeigt Strich {}.", right: "Richtig!", wrong: "Diesen Strich noch einmal.", wrongLetter: "Diesen Buchstaben noch einmal.",
        best: "Sauberkeit {} von 100", time: ["einmal fertig", "{}‑mal fertig"], mistake: ["1 falscher Versuch", "{} falsche Versuche"],
        aHint: ["1 Hinweis", "{} Hinweise"], last: "zuletzt {}",
        nothing: "Es gibt nichts zurückzunehmen.", noLetter: "Den Buchstaben {} gibt es nicht.",
        noTrace: "Der Buchstabe {} passt nicht in diese Ansicht.", noJSON: "Die Datei ist kein JSON: {}.",
        noFile: "Die Datei ist weder eine Aufnahme noch ein Buchstabensatz.", noSize: "Die Ansicht der Aufnahme hat keine Größe.",
        noStrokes: "Die Striche der Aufnahme sind keine Listen von Zahlen.", noEngine: "Dieser Browser kann die Seite nicht zeigen: {}.",
        reasons: {
            "Stroke {} is missing.": "Strich {} fehlt.",
            "Stroke {} is only drawn to {} percent.": "Strich {} ist erst zu {} Prozent gezeichnet.",
            "Stroke {} was not drawn on its own.": "Strich {} wurde nicht für sich gezeichnet.",
            "Stroke {} was drawn from its end to its start.": "Strich {} wurde vom Ende zum Anfang gezeichnet.",
            "Stroke {} was drawn too early.": "Strich {} kam zu früh.",
            "Stroke {} was not drawn from its start to its end.": "Strich {} wurde nicht vom Anfang bis zum Ende gezeichnet.",
            "Stroke {} goes back and forth.": "Strich {} geht hin und her.",
            "Stroke {} is far from the middle of the guide.": "Strich {} ist weit von der Mitte der Spur.",
            "A stroke is beside the letter.": "Ein Strich liegt neben dem Buchstaben.",
            "{} strokes are beside the letter.": "{} Striche liegen neben dem Buchstaben.",
            "{} percent of the line is beside the letter.": "{} Prozent der Linie liegen neben dem Buchstaben.",
            "The pen came down once more than needed.": "Der Stift wurde einmal zu oft aufgesetzt.",
            "The pen came down {} times more than needed.": "Der Stift wurde {}‑mal zu oft aufgesetzt.",
            "Nothing was drawn.": "Es wurde nichts gezeichnet.",
        },
    },
};

// The texts in the language of the reader.
class Texts {
    constructor(language) {
        this.language = Words[language] ? language : "en";
    }

    get(name, ...values) {
        return Texts.fill(Words[this.language][name], values);
    }

    static fill(text, values) {
        return text.split("{}").reduce((filled, part, index) => filled + values[index - 1] + part);
    }

    // Describes how a letter was finished, with the mistakes and hints of the last time.
    tries({ points, times, mistakes = 0, hints = 0 }) {
        const count = (name, number) => Texts.fill(Words[this.language][name][number === 1 ? 0 : 1], [number]);
        const faults = [["mistake", mistakes], ["aHint", hints]].filter(([, number]) => number > 0)
            .map(([name, number]) => count(name, number));
        const parts = [count("time", times), this.get("best", points)];
        if (faults.length > 0) parts.push(this.get("last", faults.join(", ")));
        return parts.join("; ");
    }

    // Translates a reason of the engine.
    reason(text) {
        const numbers = text.match(/\d+/g) ?? [];
        const translated = Words[this.language].reasons[text.replace(/\d+/g, "{}")];
        return translated ? Texts.fill(translated, numbers) : text;
    }

    // Sets the texts and labels of the elements that name them.
    apply() {
        document.documentElement.lang = this.language;
        document.title = this.get("title");
        for (const element of document.querySelectorAll("[data-text]")) element.textContent = this.get(element.dataset.text);
        for (const element of document.querySelectorAll("[data-label]")) {
            element.setAttribute("aria-label", this.get(element.dataset.label));
            element.title = this.get(element.dataset.label);
        }
    }
}
