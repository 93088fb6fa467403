// Draws every letter with a pointer, in both modes, and then tries the rest of the page.
whenReady(async (page) => {
    for (const { name } of page.glyphs) {
        for (const ordered of [false, true]) {
            choose(name, ordered);
            for (const path of page.engine.geometry().paths) draw(path);
            equal(status(), "Complete: 100 of 100 points.", `${name}, ordered ${ordered}`);
            equal(element("completion").value, 1, `completion of ${name}`);
        }
    }

    choose("T");
    equal(status(), "The letter T: 2 strokes. 0 percent drawn.", "a new letter");
    const [bar, stem] = page.engine.geometry().paths;
    const [black, red, green] = [[33, 37, 41], [214, 40, 40], [42, 143, 60]];
    draw(bar);
    equal(colorAt(middle(bar)), black, "a line on the path");
    draw([[300, 300], [310, 380]]);
    equal(colorAt([305, 340]), red, "a line off the path");
    draw(stem);
    equal(colorAt(middle(bar)), green, "a line of a complete letter");
    equal(element("reasons").children.length > 0, true, "reasons for a line off the path");

    element("undo").click();
    equal(colorAt(middle(bar)), black, "the color after undo");
    equal(page.engine.strokes().length, 2, "strokes after undo");
    send("pointerdown", stem[0]);
    send("pointermove", stem.at(-1));
    send("pointercancel", stem.at(-1));
    equal(page.engine.strokes().length, 2, "strokes after a cancelled touch");

    // Two fingers at once.
    send("pointerdown", bar[0], { pointerId: 1 });
    send("pointerdown", stem[0], { pointerId: 2 });
    send("pointermove", bar.at(-1), { pointerId: 1 });
    send("pointermove", stem.at(-1), { pointerId: 2 });
    for (const pointerId of [1, 2]) send("pointerup", bar[0], { pointerId });
    equal(page.engine.strokes().length, 4, "strokes of two fingers");

    const saved = JSON.stringify(page.recording());
    element("clear").click();
    equal(page.engine.strokes(), [], "strokes after Clear");
    equal(status(), "0 percent drawn. 1 mistake.", "the status after Clear");
    page.load(saved);
    equal(JSON.stringify(page.recording()), saved, "a recording that was saved and loaded");
    await page.replay();
    equal(colorAt(middle(bar)), green, "the color after a replay");
    for (const [text, message] of [
        ["{", "The file is no JSON"], ["{}", "The file is neither a recording"],
        ['{"tracer": 1, "letter": "T", "width": 320, "height": 400, "threshold": 20, "strokes": [[["a", 1]]]}',
            "The strokes of the recording are not"],
        ['{"tracer": 1, "letter": "T", "width": 0, "height": -4, "threshold": 20, "strokes": []}',
            "The view of the recording has no size"],
    ]) {
        page.load(text);
        equal(status().slice(0, message.length), message, `the message for ${text}`);
    }

    // Cues can be switched off, and mistakes lead to a hint.
    choose("T");
    const [start] = bar;
    equal(colorAt(start), [28, 109, 208], "the start dot");
    element("cues").click();
    equal(colorAt(start), [255, 183, 3], "the star in place of the start dot");
    element("cues").click();
    for (let mistake = 0; mistake < 3; mistake++) draw([[300, 300], [310, 380]]);
    equal(status(), "0 percent drawn. 3 mistakes. A hint shows stroke 1.", "the status after three mistakes");
    await page.demonstrate();

    // A pen draws with its pressure; a line is as wide as it was pressed.
    choose("l");
    const [line] = page.engine.geometry().paths;
    draw(line, { pointerType: "pen", pressure: 1 });
    equal(status(), "Complete: 100 of 100 points.", "the letter l by pen");
    const [x, y] = middle(line);
    equal(colorAt([x + 2.5, y]), green, "the edge of a strongly pressed line");

    // By keyboard: to the star, down, along the stroke.
    choose("l", true);
    const canvas = element("canvas");
    const press = (key, options = {}) => canvas.dispatchEvent(new KeyboardEvent("keydown", { key, ...options }));
    canvas.focus();
    press(" ");
    for (let step = 0; step < (line.at(-1)[1] - line[0][1]) / 8; step++) press("ArrowDown");
    press(" ");
    equal(status(), "Complete: 100 of 100 points.", "a letter by keyboard");
    press("z", { ctrlKey: true });
    equal(page.engine.strokes(), [], "strokes after Ctrl-Z");

    page.load(document.getElementById("imported").textContent);
    equal(page.glyphs.map(({ name }) => name), ["つ"], "the letters of a glyph set");
    for (const path of page.engine.geometry().paths) draw(path);
    equal(status(), "Complete: 100 of 100 points.", "a letter of a glyph set");
    return "done";
});

function middle(points) {
    const [first, last] = [points[0], points.at(-1)];
    return [(first[0] + last[0]) / 2, (first[1] + last[1]) / 2];
}
