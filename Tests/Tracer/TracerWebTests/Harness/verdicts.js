// Replays traces in the engine, and writes the results with all bits of their numbers into the page.
function bits(numbers) {
    const words = new BigUint64Array(Float64Array.from(numbers).buffer);
    return Array.from(words, (word) => word.toString(16)).join(" ");
}

whenReady(({ engine, glyphs }) => {
    const lines = JSON.parse(document.getElementById("traces").textContent).map(({ letter, ordered, strokes }) => {
        const glyph = glyphs.find(({ name }) => name === letter);
        engine.start(glyph, { width: 320, height: 400, ordered });
        engine.replay(strokes);
        const { completion, coverage, accuracy, deviation, points, complete, accepted } = engine.score();
        const verdicts = engine.lines().map(({ result }) => result).join("");
        return `${bits([completion, coverage, accuracy, deviation, points])} ${complete} ${accepted} ${verdicts}`;
    });
    return lines.join("\n");
});
