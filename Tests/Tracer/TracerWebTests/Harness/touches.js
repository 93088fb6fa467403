// Draws every letter with a pointer, in both modes, and then tries the rest of the page.
whenReady(async (page) => {
    for (const { name } of page.glyphs) {
        for (const ordered of [false, true]) {
            choose(name, ordered);
            for (const path of page.engine.geometry().paths) draw(path);
            equal(status(), "Right! Complete: 100 of 100 points.", `${name}, ordered ${ordered}`);
        }
    }
    equal(page.texts.tries(page.progress.of("A")), "100 points, 2 times", "the progress of a letter");
    equal(document.querySelectorAll("#progress .done").length > 0, true, "stars");

    // A wrong line shakes and goes away; a right one stays.
    choose("T");
    equal(status(), "0 percent drawn. Next: stroke 1.", "a new letter");
    const [stem, bar] = page.engine.geometry().paths;
    const [black, red, green] = ["on-path", "off-path", "complete"].map((name) => rgb(page.drawing.colors[name]));
    draw(stem);
    equal(colorAt(middle(stem)), black, "a line on the path");
    equal([status().startsWith("Right! "), element("stage").className], [true, "right"], "a finished stroke");
    // Half a stroke is no mistake, and is not greeted.
    draw([bar[0], middle(bar)]);
    equal([status().startsWith("Right"), element("stage").className], [false, ""], "half a stroke");
    page.undo();
    draw([[300, 200], [310, 280]]);
    equal([colorAt([305, 240]), element("stage").className], [red, "wrong"], "a line off the path");
    await sleep(1100);
    equal([page.engine.strokes().length, element("stage").className], [1, ""], "strokes after a wrong one went away");
    // A new stroke removes the wrong one at once.
    draw([[300, 300], [310, 380]]);
    draw(bar);
    equal(page.engine.strokes().length, 2, "strokes after a wrong one and a right one");
    equal(colorAt(middle(bar)), green, "a line of a complete letter");
    equal(element("next").classList.contains("calls"), true, "the button of the next letter");
    // A finished letter is not drawn on, and the next one comes.
    draw([[20, 20], [60, 60]]);
    equal(page.engine.strokes().length, 2, "strokes on a finished letter");
    await sleep(4000);
    equal(page.glyph.name, "U", "the next letter");

    // A finger that comes down beside the start is caught, and a mouse is not.
    choose("L");
    const beside = page.engine.geometry().paths[0].map(([x, y]) => [x - 21, y]);
    draw(beside, { pointerType: "mouse" });
    equal(element("stage").className, "wrong", "a mouse beside the start");
    draw([beside[0], beside[1]], { pointerType: "touch" });
    equal([element("stage").className, page.engine.strokes().length, page.engine.mistakes().count], ["", 1, 1], "a finger beside the start");

    // The drawn part of a stroke is pale, and the line has no gap where the pen was lifted.
    choose("S");
    const [bend] = page.engine.geometry().paths;
    const half = Math.floor(bend.length / 2);
    draw(bend.slice(0, half));
    const [one, other] = [bend[half - 1], bend[half + 1]];
    const beyond = ([x, y]) => [x, y + 0.7 * page.drawing.view.threshold];
    equal(colorAt(beyond(middle([bend[half - 4], bend[half - 5]]))), rgb(page.drawing.colors.done), "the drawn part of a stroke");
    draw(bend.slice(half + 1));
    equal(colorAt(middle([one, other])), green, "a line where the pen was lifted");
    await sleep(4000);

    // A zigzag fills the guide, but goes away too.
    choose("l");
    const [line] = page.engine.geometry().paths;
    const [[x, top], [, bottom]] = [line[0], line.at(-1)];
    draw(Array.from({ length: 80 }, (_, index) => [x + (index % 2 === 0 ? 18 : -18), top + (bottom - top) * index / 79]));
    equal(element("stage").className, "wrong", "a zigzag");
    await sleep(1100);
    equal(page.engine.strokes(), [], "strokes after a zigzag");

    // A letter that is complete but not accepted shakes, goes away, and is shown; nothing draws on it until then.
    choose("c");
    const [arc] = page.engine.geometry().paths;
    draw([...arc, arc[0]]);
    equal([status().startsWith("Try this letter again."), element("stage").className], [true, "wrong"], "a c that is closed");
    draw(arc);
    equal(page.engine.strokes().length, 1, "strokes on a letter that goes away");
    await sleep(1600);
    equal([page.engine.strokes(), page.glyph.name, element("stage").className], [[], "c", ""], "a letter that went away");

    // While a stem that is drawn upwards fades, the next point stays at its start. A tap that fades is as large as a finger.
    choose("T");
    const shown = [];
    const show = page.drawing.show;
    page.drawing.show = function (hint, ...rest) {
        shown.push(hint?.point ?? null);
        return show.call(this, hint, ...rest);
    };
    draw([...stem].reverse());
    equal([shown.at(-1), element("stage").className], [stem[0], "wrong"], "the next point beside a wrong stroke");
    page.drawing.show = show;
    draw([[300, 300]]);
    equal(colorAt([300 + 0.4 * page.drawing.view.threshold, 300]), red, "a tap beside the letter");

    // Three mistakes lead to a hint.
    choose("T");
    for (let mistake = 0; mistake < 3; mistake++) draw([[300, 300], [310, 380]]);
    await sleep(1100);
    equal(status(), "0 percent drawn. Next: stroke 1. Mistakes: 3. A hint shows stroke 1.", "the status after three mistakes");
    element("clear").click();
    equal(status(), "0 percent drawn. Next: stroke 1.", "the status after a new start");

    // Undo, a canceled touch, and order that is switched keep the rest of the drawing.
    draw(stem);
    element("undo").click();
    equal(page.engine.strokes(), [], "strokes after undo");
    draw(stem);
    send("pointerdown", bar[0]);
    send("pointermove", bar.at(-1));
    send("pointercancel", bar.at(-1));
    equal(page.engine.strokes().length, 1, "strokes after a canceled touch");
    element("ordered").click();
    equal([page.engine.strokes().length, status()], [1, "59 percent drawn."], "free mode keeps the drawing");
    element("ordered").click();

    // Neither an eraser, a barrel button, a palm, nor a hand beside a pen draws; a tap leaves a dot.
    for (const options of [
        { pointerType: "pen", button: 5 }, { pointerType: "pen", button: 2 }, { width: 120, height: 90 }, { pointerType: "touch" },
    ]) draw(bar, options);
    equal(page.engine.strokes().length, 1, "strokes after touches that do not draw");
    // The side of a hand that is there before its pen does not draw either.
    await sleep(2000);
    send("pointerdown", [30, 380], { pointerId: 8 });
    send("pointermove", [40, 380], { pointerId: 8 });
    draw(bar, { pointerType: "pen", pressure: 1 });
    equal(status(), "Right! Complete: 100 of 100 points.", "a letter by pen");
    await sleep(3500);
    choose("T");
    draw([stem[0]], { pointerType: "mouse" });
    equal(colorAt(stem[0]), rgb(page.drawing.colors.hint), "the next point");
    choose("I", false);
    draw([[160, 200]], { pointerType: "mouse" });
    equal(colorAt([160, 200]), black, "a tap");

    // Recordings and glyph sets.
    choose("T");
    draw(stem, { pointerType: "mouse" });
    const saved = JSON.stringify(page.recording());
    element("clear").click();
    equal(page.engine.strokes(), [], "strokes after a new start");
    page.panel.load(saved);
    equal(JSON.stringify(page.recording()), saved, "a recording that was saved and loaded");
    await page.replay();
    await page.demonstrate();
    const trace = (fields) => JSON.stringify({ tracer: 1, letter: "T", width: 320, height: 400, threshold: 20, strokes: [], ...fields });
    for (const [text, message] of [
        ["{", "The file is no JSON"], ["{}", "The file is neither a recording"], ["{\"tracer-glyphs\": 1, \"glyphs\": [null]}", "The file is neither"],
        [trace({ strokes: [[["a", 1]]] }), "The strokes of the recording are not"], [trace({ height: -4 }), "The view of the recording has no size"],
        [trace({ letter: "no" }), "There is no letter no"],
        [trace({ threshold: 1e-6 }), "0 percent drawn"], [trace({ width: 1, height: 1_000_000, strokes: [[[0, 1]]] }), "0 percent drawn"],
    ]) {
        page.panel.load(text);
        equal(status().slice(0, message.length), message, `the message for ${text}`);
    }

    // By keyboard: to the start, down, along the stroke.
    choose("l");
    const press = (key, options = {}) => element("canvas").dispatchEvent(new KeyboardEvent("keydown", { key, ...options }));
    element("canvas").focus();
    press(" ");
    for (let step = 0; step < (bottom - top) / 8; step++) press("ArrowDown");
    press(" ");
    equal(status(), "Right! Complete: 100 of 100 points.", "a letter by keyboard");
    press("z", { ctrlKey: true });
    equal(page.engine.strokes(), [], "strokes after Ctrl-Z");

    // Sound and the panel.
    element("sound").click();
    equal([page.sound.isOn, element("sound").getAttribute("aria-pressed")], [false, "false"], "sound");
    choose("E", false);
    draw(page.engine.geometry().paths[0]);
    element("open").click();
    equal(element("reasons").children[0].textContent, "Stroke 2 is missing.", "a reason");
    element("language").value = "de";
    element("language").dispatchEvent(new Event("change"));
    equal(element("reasons").children[0].textContent, "Strich 2 fehlt.", "a reason in another language");
    equal(document.querySelectorAll("#record li").length > 60, true, "the progress of finished letters");
    const wasAsked = [];
    window.confirm = (text) => wasAsked.push(text) > 1;
    element("forget").click();
    equal(document.querySelectorAll("#record li").length > 60, true, "the progress that is not to be forgotten");
    element("forget").click();
    equal([wasAsked.length, document.querySelectorAll("#record li").length], [2, 0], "the forgotten progress");
    element("close").click();
    element("language").value = "en";
    element("language").dispatchEvent(new Event("change"));

    // Sets of letters: other letters only in a language that has them, or if they are chosen.
    const names = () => page.glyphs.map(({ name }) => name).join("");
    const select = (id, value) => {
        element(id).value = value;
        element(id).dispatchEvent(new Event("change"));
    };
    equal([names().length, names().slice(24, 28)], [62, "YZab"], "all letters");
    select("language", "de");
    equal([page.glyph.name, names().slice(24, 30), names().slice(54, 60)], ["E", "YZÄÖÜa", "zäöüß0"], "all letters in German");
    for (const [set, text] of [["capitals", "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜ"], ["digits", "0123456789"], ["marks", "ÄÖÜäåçéñöøüß"]]) {
        select("set", set);
        equal([names(), page.progress.state.set], [text, set], `the set ${set}`);
    }
    choose("å");
    for (const path of page.engine.geometry().paths) draw(path);
    equal(status(), "Richtig! Fertig: 100 von 100 Punkten.", "a letter with a mark");
    page.panel.load(saved);
    equal([page.set, page.glyph.name], ["all", "T"], "a recording of a letter of another set");
    select("set", "forms");
    equal([page.glyphs.length, page.glyph.name], [16, "A.alt"], "second forms");
    select("language", "en");
    select("set", "all");

    page.panel.load(document.getElementById("imported").textContent);
    equal([page.glyphs.map(({ name }) => name), element("set").parentElement.hidden], [["つ", "二", "二"], true], "the letters of a glyph set");
    equal(page.glyphs[1].strokes.length, 2, "strokes of path data without a lone move");
    for (const path of page.engine.geometry().paths) draw(path);
    equal(status(), "Right! Complete: 100 of 100 points.", "a letter of a glyph set");
    await sleep(4000);
    equal([page.index, page.engine.geometry().paths.length], [1, 2], "strokes of path data");
    page.step(1);
    equal([page.index, page.engine.geometry().paths.length], [2, 1], "a letter with a name that another one has");
    return "done";
});

function middle(points) {
    const [first, last] = [points[0], points.at(-1)];
    return [(first[0] + last[0]) / 2, (first[1] + last[1]) / 2];
}

function rgb(color) {
    return [1, 3, 5].map((start) => parseInt(color.slice(start, start + 2), 16));
}
