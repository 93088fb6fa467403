// Checks that the page fits: no control outside the view, no target below 44 pixels, contrast for what must be seen.
whenReady(async (page) => {
    const { innerWidth: width, innerHeight: height } = window;
    const controls = () => [...document.querySelectorAll("header button, footer button, #canvas")];
    const check = (name) => {
        for (const control of controls()) {
            const frame = control.getBoundingClientRect();
            const what = `${name}: ${control.id || control.textContent} at ${width} x ${height}: ${JSON.stringify(frame)}`;
            if (frame.left < 0 || frame.top < 0 || frame.right > width || frame.bottom > height) throw new Error(`outside, ${what}`);
            if (frame.width < 44 || frame.height < 44) throw new Error(`small, ${what}`);
        }
        const canvas = element("canvas").getBoundingClientRect();
        if (Math.max(canvas.width, canvas.height) < 0.6 * Math.min(width, height)) throw new Error(`small letter at ${width} x ${height}`);
        equal(document.documentElement.scrollHeight <= height && document.documentElement.scrollWidth <= width, true, `${name}: scrolls`);
    };
    for (const letter of ["A", "m", "g", "7.alt"]) {
        choose(letter);
        check(letter);
    }
    // Words in another language fit as well.
    element("language").value = "de";
    element("language").dispatchEvent(new Event("change"));
    check("de");
    equal(document.documentElement.lang, "de", "the language");
    equal(element("next").getAttribute("aria-label"), "Nächster Buchstabe", "a label in another language");
    for (const name of Object.keys(Words.en)) equal(typeof Words.de[name], typeof Words.en[name], `the word ${name}`);

    const colors = page.drawing.colors;
    const style = getComputedStyle(document.documentElement);
    const color = (name) => colors[name] ?? style.getPropertyValue(`--${name}`).trim();
    for (const [one, other] of [
        ["edge", "card"], ["on-path", "next"], ["on-path", "done"], ["off-path", "card"], ["hint", "next"], ["complete", "card"],
        ["text", "card"], ["text", "paper"], ["button", "paper"], ["on-button", "button"], ["star", "card"], ["hint", "card"],
    ]) {
        const ratio = contrast(color(one), color(other));
        if (ratio < 3) throw new Error(`the contrast of ${one} on ${other} is ${ratio.toFixed(2)}`);
    }
    return "done";
});

function contrast(one, other) {
    const [light, dark] = [one, other].map(luminance).sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
}

function luminance(color) {
    const parts = [1, 3, 5].map((start) => parseInt(color.slice(start, start + 2), 16) / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
}
