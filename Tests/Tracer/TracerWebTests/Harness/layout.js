// Checks that the page fits: no control outside the view, no target below 44 pixels, contrast for what must be seen.
whenReady(async (page) => {
    const { innerWidth: width, innerHeight: height } = window;
    const controls = () => [...document.querySelectorAll("header > button, footer button, #canvas, #progress [aria-current]")];
    const check = (name) => {
        for (const control of controls()) {
            const frame = control.getBoundingClientRect();
            const what = `${name}: ${control.id || control.textContent} at ${width} x ${height}: ${JSON.stringify(frame)}`;
            if (frame.left < 0 || frame.top < 0 || frame.right > width || frame.bottom > height) throw new Error(`outside, ${what}`);
            if (frame.width < 44 || frame.height < 44) throw new Error(`small, ${what}`);
        }
        // The row fades where there are more letters.
        const { style, scrollWidth, clientWidth } = element("progress");
        const ends = ["--before", "--after"].map((end) => style.getPropertyValue(end));
        equal([scrollWidth > clientWidth, ends.includes("transparent")], [true, true], `${name}: the row goes on`);
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

    // Everything on the page for grown-ups scrolls under a finger, the drawings too.
    choose("l");
    draw(page.engine.geometry().paths[0]);
    element("open").click();
    const inPanel = [...document.querySelectorAll("#panel, #panel *")];
    equal(inPanel.some(({ tagName }) => tagName === "CANVAS"), true, "the drawings of finished letters");
    equal(inPanel.filter((part) => getComputedStyle(part).touchAction !== "auto").map(({ id }) => id), [], "parts that do not scroll");
    element("close").click();

    const rules = [...document.styleSheets[0].cssRules];
    const { style: light } = rules.find(({ selectorText }) => selectorText === ":root");
    const { style: dark } = rules.find(({ conditionText }) => conditionText === "(prefers-color-scheme: dark)").cssRules[0];
    const pairs = [
        ["edge", "card"], ["on-path", "next"], ["on-path", "done"], ["off-path", "card"], ["hint", "next"], ["complete", "card"],
        ["text", "card"], ["text", "paper"], ["button", "paper"], ["on-button", "button"], ["star", "card"], ["hint", "card"],
        ["won", "won-edge"], ["end", "card"], ["out-of-order", "next"], ["out-of-order", "guide"],
    ];
    for (const scheme of [light, dark]) {
        const color = (name) => (scheme.getPropertyValue(`--${name}`) || light.getPropertyValue(`--${name}`)).trim();
        // On white, the edge of a bright stroke is what is seen.
        for (const [one, other] of scheme === dark ? [...pairs, ["next", "card"], ["next", "guide"]] : pairs) {
            const ratio = contrast(color(one), color(other));
            const name = scheme === dark ? "dark" : "light";
            if (!(ratio >= 3)) throw new Error(`the contrast of ${one} on ${other} is ${ratio.toFixed(2)} in the ${name} scheme`);
        }
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
