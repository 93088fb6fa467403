// Returns a command without the comment at its end. A "#" in quotes starts no comment.
const withoutComment = (line) => line.match(/^(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|(?!\s+# )[^])*/)[0];

// The button beside a console block copies its commands: without "$ ", without comments, and without output. Without a
// newline at the end, so that a shell waits for the reader before it starts the last one.
document.addEventListener(
  "click",
  (event) => {
    const button = event.target.closest("[data-clipboard-target]");
    const code = button && document.querySelector(button.dataset.clipboardTarget);
    if (!code || !code.closest(".language-console")) return;
    const lines = code.textContent.split("\n").filter((line) => line.startsWith("$ "));
    button.dataset.clipboardText = lines.map((line) => withoutComment(line.slice(2))).join("\n");
  },
  true // before the theme copies
);
