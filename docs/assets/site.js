// The button beside a console block copies its commands: without "$ ", without comments, and without output.
document.addEventListener(
  "click",
  (event) => {
    const button = event.target.closest("[data-clipboard-target]");
    const code = button && document.querySelector(button.dataset.clipboardTarget);
    if (!code || !code.closest(".language-console")) return;
    const lines = code.textContent.split("\n").filter((line) => line.startsWith("$ "));
    button.dataset.clipboardText = lines.map((line) => line.slice(2).replace(/\s+# [^'"]*$/, "") + "\n").join("");
  },
  true // before the theme copies
);
