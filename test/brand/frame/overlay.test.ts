import { expect, it, onTestFinished } from "vitest";
import { contrastOf } from "../../../src/brand/color/contrast.ts";
import { closePages, openBrowser } from "../../browser.ts";
import { pageOf } from "../site-of.ts";
import { openFrame } from "./painted.ts";

const HEADER = `<header><a href="/">Tidewater</a></header>`;
const TEXT = `<main><p>${"Words on the page. ".repeat(9)}</p></main>`;

/** Colors of the link, and of what is painted behind it, as `#rrggbb`. */
const SEEN = `(() => {
  const link = document.querySelector(".frame").shadowRoot.querySelector("a");
  const drawing = new OffscreenCanvas(1, 1).getContext("2d");
  const grounds = [];
  for (let at = link; at !== null; at = at.parentElement) grounds.unshift(getComputedStyle(at).backgroundColor);
  const paint = (color) => { drawing.fillStyle = color; drawing.fillRect(0, 0, 1, 1) };
  const read = () => "#" + [...drawing.getImageData(0, 0, 1, 1).data].slice(0, 3).map((value) => value.toString(16).padStart(2, "0")).join("");
  ["#fff", ...grounds].forEach(paint);
  const ground = read();
  paint(getComputedStyle(link).color);
  return { ground, text: read() };
})()`;

async function seenOf(css: string, body: string): Promise<{ readonly ground: string; readonly text: string }> {
  onTestFinished(async () => closePages(await openBrowser()));
  const page = await openFrame(pageOf(css, body));
  return await page.evaluate(SEEN);
}

it.each(["none", "transparent", "#0000", "rgb(255 255 255 / 0.1)"])(
  "a header that is laid over the first screen stays readable in the frame, with the background %s",
  async (background) => {
    const css = `body { margin: 0; background: #fff; color: #1c2b36 } header { background: ${background}; position: absolute; top: 0; left: 0; right: 0 }
      header a { color: #fff } .hero { padding: 200px 20px; background: #0b3c5d; color: #fff }`;
    const { ground, text } = await seenOf(css, `${HEADER}<section class="hero"><h1>Up the river</h1></section>${TEXT}`);
    expect(text).toBe("#ffffff");
    expect(ground).toBe(background.startsWith("rgb") ? "#234f6d" : "#0b3c5d");
    expect(contrastOf(text, ground)).toBeGreaterThan(4.5);
  },
);
