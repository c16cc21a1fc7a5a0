import { expect, it, onTestFinished } from "vitest";
import { closePages, openBrowser } from "../../browser.ts";
import { pageOf } from "../site-of.ts";
import { openFrame } from "./painted.ts";

// As utilities of Tailwind 4 are written: the properties are registered, their values set in a layer.
const REGISTERED = `@layer theme, utilities;
  @property --from { syntax: "<color>"; inherits: false; initial-value: #0000 }
  @property --ink { syntax: "<color>"; inherits: true; initial-value: #000 }
  @property --mark { syntax: "<color>"; inherits: false; initial-value: #0000 }
  @layer utilities {
    .bar { --from: #b4235a; --ink: #fff; --mark: #ff0; background: var(--from) }
    .bar a { color: var(--ink); background: var(--from) }
    .bar::before { content: ""; color: var(--mark) }
  }`;

it.each([
  ["in a layer", REGISTERED],
  ["without layers", REGISTERED.replace(/@layer utilities \{([^]*)\}$/, "$1")],
])("registered custom properties have the site's values in the frame, as on the site: %s", async (_, css) => {
  onTestFinished(async () => closePages(await openBrowser()));
  const body = `<header class="bar"><a href="/">Tidewater</a></header><main><p>${"Words on the page. ".repeat(9)}</p></main>`;
  const page = await openFrame(pageOf(css, body));
  const seen = await page.evaluate(`(() => {
    const tree = document.querySelector(".frame").shadowRoot;
    const [bar, link] = [tree.querySelector(".bar"), tree.querySelector("a")];
    const [own, text, before] = [getComputedStyle(bar), getComputedStyle(link), getComputedStyle(bar, "::before")];
    return { bar: own.backgroundColor, text: text.color, behind: text.backgroundColor, before: before.color };
  })()`);
  expect(seen).toEqual({
    bar: "rgb(180, 35, 90)",
    text: "rgb(255, 255, 255)",
    behind: "rgba(0, 0, 0, 0)",
    before: "rgba(0, 0, 0, 0)",
  });
});
