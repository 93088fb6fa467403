// Measures a move and a frame with 10,000 lines, in milliseconds. Nothing is awaited, because the browser ends when the
// page is loaded, and its virtual time, which would make it wait, stands still while a script runs.
{
    const bytes = Uint8Array.from(atob(document.getElementById("module").textContent), (text) => text.charCodeAt(0));
    const engine = new Engine(new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports);
    const page = new Page(engine, JSON.parse(document.getElementById("glyphs").textContent));
    const { drawing } = page;
    engine.start(page.glyphs.find(({ name }) => name === "S"), { width: 320, height: 400, threshold: 20, ordered: true });
    const [path] = engine.geometry().paths;
    const moves = 10_000;
    engine.begin(...path[0], 0, 0);
    const start = performance.now();
    for (let move = 0; move < moves; move++) {
        const [x, y] = path[move % path.length];
        engine.move(x + 3 * Math.sin(move), y + 3 * Math.cos(move), move / 100, 0);
    }
    const perMove = (performance.now() - start) / moves;
    const median = (action) => Array.from({ length: 20 }, () => {
        const start = performance.now();
        action();
        // Reading a pixel waits until everything is drawn.
        drawing.visible.getImageData(0, 0, 1, 1);
        return performance.now() - start;
    }).sort((one, other) => one - other)[10].toFixed(2);
    const all = median(() => page.redraw());
    let next = 0;
    const frame = median(() => page.touch(1, path[next++ % path.length], next));
    const result = document.createElement("pre");
    result.id = "result";
    result.textContent = `with ${engine.lines().length} lines: a move ${perMove.toFixed(4)} ms, a frame ${frame} ms, `
        + `everything drawn again ${all} ms (medians of 20)`;
    document.body.append(result);
}
