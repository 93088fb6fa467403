// Runs a check when the page is ready, and writes its result or error into the page.
function whenReady(check) {
    const report = (text) => {
        const element = document.createElement("pre");
        element.id = "result";
        element.textContent = text;
        document.body.append(element);
    };
    const wait = () => {
        if (!window.tracer) return setTimeout(wait, 10);
        Promise.resolve().then(() => check(window.tracer)).then(report, (error) => report(`failed: ${error.stack}`));
    };
    wait();
}

const element = (id) => document.getElementById(id);
const status = () => element("status").textContent;

function equal(found, expected, what) {
    const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
    if (one !== other) throw new Error(`${what}: found ${one}, expected ${other}`);
}

// Sends a pointer event for a point in view units, as a finger, pen or mouse would.
function send(type, [x, y], options = {}) {
    const canvas = element("canvas");
    const frame = canvas.getBoundingClientRect();
    const { scale } = window.tracer.drawing;
    canvas.dispatchEvent(new PointerEvent(type, {
        pointerId: 7, pointerType: "touch", bubbles: true, cancelable: true, button: 0,
        clientX: frame.left + canvas.clientLeft + x * scale, clientY: frame.top + canvas.clientTop + y * scale,
        ...options,
    }));
}

function draw(points, options) {
    send("pointerdown", points[0], options);
    for (const point of points) send("pointermove", point, options);
    send("pointerup", points.at(-1), options);
}

function choose(letter, ordered = true) {
    if (element("ordered").checked !== ordered) element("ordered").click();
    element("letter").value = String(window.tracer.glyphs.findIndex(({ name }) => name === letter));
    element("letter").dispatchEvent(new Event("change"));
}

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// Returns the color of a point of the drawing as [red, green, blue].
function colorAt([x, y]) {
    const { visible } = window.tracer.drawing;
    const { a: scale } = visible.getTransform();
    return Array.from(visible.getImageData(x * scale, y * scale, 1, 1).data).slice(0, 3);
}
