"""Checks the pages of the guide in dist/docs, which `ci/lane docs` builds.

  python3 ci/check-site.py

Each link leads to a page and a heading that exist. "Previous" and "next" visit all pages in one order. The search index has
all pages. If Chromium is installed, it opens a page and uses its buttons and its search.
"""
import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

site = pathlib.Path(__file__).resolve().parent.parent / "dist/docs"
problems = []


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.ids, self.neighbors, self.texts = [], set(), {}, []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.ids.add(attributes.get("id"))
        link = attributes.get("href") or attributes.get("src")
        if link:
            self.links.append(link)
        for side in ["prev", "next"]:
            if f"md-footer__link--{side}" in attributes.get("class", ""):
                self.neighbors[side] = link


paths = [path for path in site.rglob("*.html") if site / "api" not in path.parents]
pages = {path: Page(path) for path in paths}
# Generated pages of the theme, and pages that are no part of the guide, have no neighbors.
guide = {path for path, page in pages.items() if page.neighbors}
if len(guide) < 20:
    sys.exit("ci/check-site.py: dist/docs is not complete; run `ci/lane docs`")


def target(path, link):
    """Returns the file and the fragment of a link, or None for another host."""
    address = urllib.parse.urlsplit(link)
    if address.scheme or address.netloc:
        return None
    name = urllib.parse.unquote(address.path)
    # The error page is shown for any address, so its links start at the root.
    base = site / name.lstrip("/") if name.startswith("/") else path.parent / name
    file = pathlib.Path(os.path.normpath(base)) if name else path
    return file / "index.html" if file.is_dir() else file, urllib.parse.unquote(address.fragment)


for path, page in pages.items():
    for link in page.links:
        found = target(path, link)
        if found is None:
            continue
        file, fragment = found
        if site not in file.parents or not file.is_file() and site / "api" not in file.parents:
            problems.append(f"{path.relative_to(site)}: '{link}' leads to no file of the site")
        elif fragment and file in pages and fragment not in pages[file].ids and not fragment.startswith("__"):
            problems.append(f"{path.relative_to(site)}: '{link}' leads to no heading")

order, path = [], site / "index.html"
while path and path not in order:
    order.append(path)
    following = pages[path].neighbors.get("next") if path in pages else None
    after = target(path, following)[0] if following else None
    back = pages[after].neighbors.get("prev") if after in pages else None
    if after and (not back or target(after, back)[0] != path):
        problems.append(f"{path.relative_to(site)}: the next page does not lead back")
    path = after
for path in sorted(guide - set(order)):
    problems.append(f"{path.relative_to(site)}: 'next' never leads to this page")

index = json.loads((site / "search/search_index.json").read_text())
indexed = {entry["location"].split("#")[0] for entry in index["docs"]}
for path in sorted(guide):
    if str(path.relative_to(site)) not in indexed:
        problems.append(f"{path.relative_to(site)}: not in the search index")
    if "content.code.copy" not in path.read_text() or "assets/site.js" not in path.read_text():
        problems.append(f"{path.relative_to(site)}: no button copies its code")

# The script presses all buttons, searches, and writes what happened into the page.
SCRIPT = """<script>addEventListener("load", () => setTimeout(async () => {
  const copies = [...document.querySelectorAll(".language-console code")].map((code) => {
    const button = document.querySelector(`[data-clipboard-target="#${code.id}"], [data-clipboard-target="#${code.id} > code"]`)
      ?? code.parentElement.querySelector("[data-clipboard-target]")
    button?.click()
    return [code.textContent, button?.dataset.clipboardText ?? null]
  })
  const field = document.querySelector("[data-md-component=search-query]")
  field.focus()
  field.value = "retries"
  for (const kind of ["keyup", "input"]) field.dispatchEvent(new Event(kind, { bubbles: true }))
  for (let i = 0; i < 50 && !document.querySelector(".md-search-result__item"); i++)
    await new Promise((done) => setTimeout(done, 100))
  const hits = [...document.querySelectorAll(".md-search-result__link")].map((link) => link.href)
  document.body.innerHTML = ""
  document.body.dataset.seen = encodeURIComponent(JSON.stringify({ copies, hits }))
}, 1000))</script>"""
browser = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)
if browser is None:
    print("skipped: the buttons and the search, because Chromium is not installed")
else:
    page = site / "test-engine.html"
    probe = site / "probe.html"
    probe.write_text(page.read_text().replace("</body>", SCRIPT + "</body>"))
    try:
        with tempfile.TemporaryDirectory() as profile:
            flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}"]
            dom = subprocess.run(
                [browser, *flags, "--virtual-time-budget=20000", "--dump-dom", probe.as_uri()],
                capture_output=True, text=True, timeout=120, check=False).stdout
    finally:
        probe.unlink()
    seen = re.search(r'data-seen="([^"]*)"', dom)
    if seen is None:
        problems.append("the page did not run its scripts in Chromium")
    else:
        found = json.loads(urllib.parse.unquote(seen[1]))
        if not found["copies"]:
            problems.append(f"{page.name}: no console block")
        for code, copied in found["copies"]:
            commands = [line[2:] for line in code.splitlines() if line.startswith("$ ")]
            # A comment follows two spaces, or "$ " directly.
            wanted = "\n".join(re.split(r"\s{2,}# |\s+# (?=[a-z])", command)[0] for command in commands)
            if copied != wanted:
                problems.append(f"{page.name}: copies {copied!r} in place of {wanted!r}")
        if not any("test-engine" in hit for hit in found["hits"]):
            problems.append(f"the search for 'retries' finds {found['hits']}")

for problem in problems:
    print(problem)
print(f"{len(pages)} pages, {len(order)} in order, {len(problems)} problems")
sys.exit(1 if problems else 0)
