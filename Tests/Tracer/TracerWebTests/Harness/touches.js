// Draws every letter with a pointer, in both modes, and then tries the rest of the page.
whenReady(async (page) => {
    for (const { name } of page.glyphs) {
        for (const ordered of [false, true]) {
            choose(name, ordered);
            for (const path of page.engine.geometry().paths) draw(path);
            equal(status(), "Right! All strokes are drawn. Neatness: 100 of 100.", `${name}, ordered ${ordered}`);
        }
    }
    equal(page.texts.tries(page.progress.of("A")), "finished 2 times; neatness 100 of 100", "the progress of a letter");
    equal(document.querySelectorAll("#progress .done").length > 0, true, "stars");

    // A wrong line shakes and goes away; a right one stays.
    choose("T");
    equal(status(), "Nothing is drawn yet. Stroke 1 is next.", "a new letter");
    const [stem, bar] = page.engine.geometry().paths;
    const [black, red, green] = ["on-path", "off-path", "complete"].map((name) => rgb(page.drawing.colors[name]));
    // The stars are won while the finger is down, and not before.
    const star = rgb(page.drawing.colors.star);
    equal([stem[1], bar[1]].map(colorAt), [star, star], "stars");
    send("pointerdown", stem[0]);
    send("pointermove", middle(stem));
    equal([stem[0], stem[1], bar[1]].map(colorAt), [rgb(page.drawing.colors.won), star, star], "a star on the way");
    send("pointerup", middle(stem));
    page.undo();
    equal(colorAt(stem[1]), star, "a star after undo");
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
    equal(colorAt(quarter(bar)), green, "a line of a complete letter");
    equal(colorAt(bar[0]), rgb(page.drawing.colors.won), "a star of a complete letter");
    equal(element("next").classList.contains("calls"), true, "the button of the next letter");
    // A finished letter is not drawn on, and the next one comes.
    draw([[20, 20], [60, 60]]);
    equal(page.engine.strokes().length, 2, "strokes on a finished letter");
    await sleep(4000);
    equal(page.glyph.name, "U", "the next letter");

    // The next letter does not come while a finger plays on the finished one.
    const [short] = (choose("l"), page.engine.geometry().paths);
    draw(short);
    send("pointerdown", [40, 40]);
    await sleep(4000);
    equal(page.glyph.name, "l", "the letter under a finger");
    send("pointerup", [40, 40]);
    await sleep(1000);
    equal([page.glyph.name, page.engine.strokes()], ["m", []], "the letter after a finger");

    // Nor does it come under a finger that drew together with the one that finished the letter.
    choose("l");
    send("pointerdown", short[0], { pointerId: 8 });
    draw(short);
    await sleep(4000);
    equal([page.glyph.name, page.progress.of("l").times], ["l", 4], "the letter under a second finger");
    send("pointerup", short[0], { pointerId: 8 });
    await sleep(1000);
    equal(page.glyph.name, "m", "the letter after a second finger");

    // A button that does not draw is captured too, so that its end is seen outside the window.
    const captured = [];
    element("canvas").setPointerCapture = (pointer) => captured.push(pointer);
    for (const type of ["pointerdown", "pointerup"]) send(type, [40, 40], { pointerType: "mouse", pointerId: 9, button: 2 });
    delete element("canvas").setPointerCapture;
    equal(captured, [9], "the captured pointers");

    // Won stars stay while the hand draws, and while the drawing is shown again.
    choose("T");
    draw(stem);
    const wonStar = rgb(page.drawing.colors.won);
    const shows = [];
    for (const name of ["demonstrate", "show"]) {
        page.drawing[name] = function (...rest) {
            Drawing.prototype[name].apply(this, rest);
            shows.push([stem[0], stem[1]].map((point) => String(colorAt(point)) === String(wonStar)));
        };
    }
    page.drawing.demonstrate([[[20, 380], [60, 380]]], true);
    equal(shows, [[true, true]], "won stars while the hand draws");
    shows.length = 0;
    await page.replay();
    equal([shows[0][0], shows.at(-2)], [true, [true, true]], "won stars while the drawing is shown again");
    draw(bar);
    shows.length = 0;
    await page.replay();
    equal(shows.at(-2), [true, true], "won stars while a complete letter is shown again");
    for (const name of ["demonstrate", "show"]) delete page.drawing[name];

    // Moves that come together are all drawn, but shown once.
    choose("T");
    send("pointerdown", stem[0]);
    let wins = 0;
    page.drawing.win = function (...rest) {
        wins++;
        return Drawing.prototype.win.apply(this, rest);
    };
    const coalescedEvents = [];
    const collect = (event) => {
        coalescedEvents.push(event);
        event.stopImmediatePropagation();
    };
    window.addEventListener("pointermove", collect, true);
    for (const point of evenly(stem).slice(1, 21)) send("pointermove", point);
    window.removeEventListener("pointermove", collect, true);
    send("pointermove", middle(stem), { coalescedEvents });
    delete page.drawing.win;
    equal([wins, page.engine.strokes()[0].length], [1, 21], "moves that come together");
    send("pointerup", middle(stem));

    // Where the pen is lifted before a bend, the arrow goes along the path, and a finger may follow it.
    for (const [letter, share] of [["a", 0.65], ["d", 0.3], ["w", 0.2]]) {
        choose(letter);
        const [path] = page.engine.geometry().paths;
        draw(path.slice(0, Math.max(2, Math.floor(share * path.length))));
        const { arrow } = page.engine.hint();
        equal(colorAt(arrow.at(-1)), rgb(page.drawing.colors.hint), `the tip of the arrow of ${letter}`);
        draw(arrow);
        equal([page.mistakes, element("stage").className], [0, ""], `a finger that follows the arrow of ${letter}`);
    }

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
    equal([page.progress.current.letter, page.progress.current.strokes], ["c", []], "the kept letter while one goes away");
    await sleep(1600);
    equal([page.engine.strokes(), page.glyph.name, element("stage").className], [[], "c", ""], "a letter that went away");
    equal(page.progress.current.hints, 1, "the kept hints after a letter that went away");

    // While a stem that is drawn upwards fades, the next point stays at its start. A tap that fades is as large as a finger.
    choose("T");
    const shown = [];
    const show = page.drawing.show;
    page.drawing.show = function (hint, ...rest) {
        shown.push(hint?.arrow[0] ?? null);
        return show.call(this, hint, ...rest);
    };
    draw(evenly([...stem].reverse()));
    equal([shown.at(-1), element("stage").className], [stem[0], "wrong"], "the next point beside a wrong stroke");
    page.drawing.show = show;
    // No part of the stroke looks right, and no part of the letter looks drawn.
    const [x0, y0] = stem[0];
    const { threshold } = page.drawing.view;
    const colors = [[x0, y0 + 1.2 * threshold], [x0, y0 + 3 * threshold], [x0, y0 + 5 * threshold], middle(stem)].map(colorAt);
    equal(colors, colors.map(() => rgb(page.drawing.colors["out-of-order"])), "a stem that is drawn upwards");
    equal(colorAt([x0 + 0.7 * threshold, y0 + threshold]), rgb(page.drawing.colors.next), "the guide beside it");
    draw([[300, 300]]);
    equal(colorAt([300 + 0.4 * page.drawing.view.threshold, 300]), red, "a tap beside the letter");

    // Three mistakes lead to a hint.
    choose("T");
    for (let mistake = 0; mistake < 3; mistake++) draw([[300, 300], [310, 380]]);
    await sleep(1100);
    equal(status(), "Nothing is drawn yet. Stroke 1 is next. Wrong tries: 3. A hint shows stroke 1.", "the status after three mistakes");
    equal(page.progress.current.hints, 1, "the kept hints after three mistakes");
    element("demonstrate").click();
    equal(page.progress.current.hints, 2, "the kept hints after the button with a hand");
    for (let time = 0; time < 2; time++) element("ordered").click();
    equal(page.mistakes, 3, "the mistakes after the order was switched");
    for (let mistake = 0; mistake < 3; mistake++) draw([[300, 300], [310, 380]]);
    await sleep(1100);
    equal(page.mistakes, 6, "the mistakes before and after the order was switched");
    // The hint is a dotted line, through which the bright stroke is visible.
    page.redraw();
    equal(colorAt([x0 + 0.4 * threshold, y0 + 5 * threshold]), rgb(page.drawing.colors.next), "the stroke beside a hint");
    element("clear").click();
    equal(status(), "Nothing is drawn yet. Stroke 1 is next.", "the status after a new start");

    // With reduced motion, a demonstration shows stills: one part after another, each with an arrow at its end.
    const stills = [];
    const { demonstrate } = page.drawing;
    page.drawing.demonstrate = function (lines, isStill) {
        stills.push([lines.length, Math.round(lines.at(-1).at(-1)[1]), isStill]);
        return demonstrate.call(this, lines, isStill);
    };
    await page.demonstrate();
    page.drawing.demonstrate = demonstrate;
    equal([stills.length > 5, stills.every(([, , isStill]) => isStill)], [true, true], "stills");
    equal([stills[0][0], stills[0][1] < stills[1][1], stills.at(-1)[0]], [1, true, 2], "the order of the stills");

    // Numbers and arrows do not repeat the arrow of the next point.
    choose("A");
    element("cues").click();
    const arrows = () => page.drawing.geometry.cues.filter(({ kind }) => kind === Cue.arrows).map(({ points }) => points);
    const [apex] = page.engine.geometry().paths[0];
    const besideApex = () => arrows().filter(([[x, y]]) => Math.hypot(x - apex[0], y - apex[1]) < threshold).map(([[x]]) => x > apex[0]);
    equal([arrows().length, besideApex()], [4, [true]], "the lines of two arrows of three, while the left one is the next");
    draw(page.engine.geometry().paths[0]);
    equal([arrows().length, besideApex()], [4, [false]], "the lines of two arrows of three, while the right one is the next");
    element("cues").click();
    choose("T");

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
    equal([page.engine.strokes().length, status()], [1, "59 percent of the letter is drawn."], "free mode keeps the drawing");
    element("ordered").click();

    // Neither an eraser, a barrel button, a palm, nor a hand beside a pen draws; a tap leaves a dot.
    for (const options of [
        { pointerType: "pen", button: 5 }, { pointerType: "pen", button: 2 }, { width: 120, height: 90 }, { pointerType: "touch" },
    ]) draw(bar, options);
    equal(page.engine.strokes().length, 1, "strokes after touches that do not draw");
    // The side of a hand that is there before its pen does not draw either.
    await sleep(2100);
    send("pointerdown", [30, 380], { pointerId: 8 });
    send("pointermove", [40, 380], { pointerId: 8 });
    draw(bar, { pointerType: "pen", pressure: 1 });
    send("pointerup", [40, 380], { pointerId: 8 });
    equal(status(), "Right! All strokes are drawn. Neatness: 100 of 100.", "a letter by pen");
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
        [trace({ threshold: 1e-6 }), "Nothing is drawn yet"], [trace({ width: 1, height: 1_000_000, strokes: [[[0, 1]]] }), "Nothing is drawn yet"],
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
    equal(status(), "Right! All strokes are drawn. Neatness: 100 of 100.", "a letter by keyboard");
    press("z", { ctrlKey: true });
    equal(page.engine.strokes(), [], "strokes after Ctrl-Z");

    // The grown-ups' page: a tap does not open it, but shows how to; a finger that stays, and a key, open it.
    const pointer = (type) => element("open").dispatchEvent(new PointerEvent(type, { pointerId: 3, bubbles: true }));
    pointer("pointerdown");
    await sleep(300);
    pointer("pointerup");
    element("open").dispatchEvent(new MouseEvent("click", { detail: 1, bubbles: true }));
    await sleep(1500);
    equal([page.panel.isOpen, element("hold").hidden], [false, false], "the panel after a tap");
    pointer("pointerdown");
    await sleep(1100);
    equal([page.panel.isOpen, element("hold").hidden], [true, true], "the panel after a second");
    pointer("pointerup");
    // The click of that finger is beside the panel.
    const edge = { clientX: 1, clientY: 1, bubbles: true };
    const clickBeside = () => element("panel").dispatchEvent(new MouseEvent("click", { detail: 1, ...edge }));
    clickBeside();
    equal([page.panel.isOpen, element("hold").hidden], [true, true], "the panel after the finger is lifted");
    element("panel").dispatchEvent(new PointerEvent("pointerdown", edge));
    clickBeside();
    equal(page.panel.isOpen, false, "the panel after a click beside it");
    element("open").click();
    element("clear").click();
    equal(["undo", "replay", "save"].map((id) => element(id).disabled), [true, true, true], "buttons with nothing drawn");
    equal(getComputedStyle(element("undo")).backgroundColor === getComputedStyle(element("load")).backgroundColor, false, "their look");
    element("close").click();

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
    equal([page.engine.strokes(), page.progress.current], [[], null], "the forgotten letter in progress");
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
    equal(status(), "Richtig! Alle Striche sind gezeichnet. Sauberkeit: 100 von 100.", "a letter with a mark");
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
    equal(status(), "Right! All strokes are drawn. Neatness: 100 of 100.", "a letter of a glyph set");
    await sleep(4000);
    equal([page.index, page.engine.geometry().paths.length], [1, 2], "strokes of path data");
    page.step(1);
    equal([page.index, page.engine.geometry().paths.length], [2, 1], "a letter with a name that another one has");

    // A page that is loaded again has the letter, its strokes and mistakes, and the settings.
    page.useGlyphs(JSON.parse(document.getElementById("glyphs").textContent));
    choose("T");
    element("cues").click();
    draw([[300, 300], [310, 380]]);
    draw(stem);
    draw([[300, 300], [310, 380]]);
    const kept = JSON.stringify(page.recording());
    const reloaded = () => new Page(page.engine, JSON.parse(document.getElementById("glyphs").textContent));
    element("cues").checked = false;
    const loaded = reloaded();
    // The last stroke was about to go away.
    equal([loaded.glyph.name, loaded.engine.strokes().length, loaded.mistakes], ["T", 1, 2], "a letter after the page is loaded again");
    equal([element("cues").checked, JSON.parse(kept).strokes.length], [true, 2], "the settings after the page is loaded again");
    loaded.touch(1, bar[0], 0);
    loaded.touch(1, bar[1], 0);
    loaded.lift(1);
    equal(loaded.progress.of("T").mistakes, 2, "the mistakes of a letter that was finished later");
    equal(reloaded().glyph.name, "U", "the letter after a finished one");

    // Strokes that are drawn after the page is loaded again come after the earlier ones, also when it is loaded once more.
    page.choose(page.glyphs.findIndex(({ name }) => name === "E"));
    let again = page;
    for (const path of page.engine.geometry().paths.slice(0, 3)) {
        for (const [index, point] of evenly([path[0], path.at(-1)]).entries()) again.touch(1, point, 5000 + 10 * index);
        again.lift(1);
        again = reloaded();
    }
    const order = again.engine.lines().map((line) => line.stroke);
    equal(order, order.toSorted(), "the order of strokes after the page is loaded again and again");
    equal([again.engine.progress().isDone, again.mistakes], [[true, true, true, false], 0], "the strokes of an E");
    return "done";
});

// Returns points of a line at equal distances.
function evenly([[x1, y1], [x2, y2]]) {
    return Array.from({ length: 41 }, (_, index) => [x1 + (x2 - x1) * index / 40, y1 + (y2 - y1) * index / 40]);
}

function middle(points) {
    const [first, last] = [points[0], points.at(-1)];
    return [(first[0] + last[0]) / 2, (first[1] + last[1]) / 2];
}

function quarter(points) {
    return middle([points[0], middle(points)]);
}

function rgb(color) {
    return [1, 3, 5].map((start) => parseInt(color.slice(start, start + 2), 16));
}
