import { describe, expect, it } from "vitest";
import { extractFrom, pageOf } from "../site-of.ts";

const TEXT = `<header><a href="/">Tern</a></header><main><p>${"Words enough to be a page. ".repeat(4)}</p><a class="btn" href="/more">Read more</a></main>`;
const BUTTON = ".btn { display: inline-block; padding: 10px 20px; background: #aa3333; color: #fff }";

async function read(css: string, { body = "", head = "" } = {}) {
  const page = pageOf(`body { background: #fff; color: #222 } ${css}`, TEXT + body).replace(
    "</head>",
    `${head}</head>`,
  );
  const { colors, design } = await extractFrom({ "/": page });
  return { primary: colors.light?.primary?.hex, background: colors.light?.background?.hex, design };
}

describe("a button", () => {
  it("that floats over the page and leads to another host has that host's colors", async () => {
    const style = "position: fixed; padding: 15px; background: #25d366; color: #fff";
    const body = `<a style="${style}" href="https://wa.me/34">Chat now</a>`.repeat(3);
    const { primary, design } = await read(BUTTON, { body });
    expect(primary).toBe("#aa3333");
    expect(design?.surfaces.find(({ part }) => part === "button")?.background).toBe("#aa3333");
  });

  it.each([
    ["equal longhands", "top-left top-right bottom-left bottom-right", 12],
    ["equal logical longhands", "start-start start-end end-start end-end", 12],
    ["some corners only", "top-left top-right", 0],
  ])("has the radius of all its corners: %s", async (_, corners, radius) => {
    const own = corners.split(" ").map((corner) => `border-${corner}-radius: 12px`);
    const { design } = await read(`${BUTTON} .btn { border-radius: 0; ${own.join("; ")} }`);
    expect(design?.button?.radius).toBe(radius);
  });

  it.each([
    ["#5b6236", "#5b6236"],
    ["#222222", "#8a5a2b"],
  ])("whose class says dark is one of the brand unless it is gray: %s", async (background, expected) => {
    const styles = `a { color: #8a5a2b } .btn--dark { padding: 14px 32px; background: ${background}; color: #fff }`;
    const { primary } = await read(styles, { body: '<a class="btn--dark" href="/rooms">See rooms</a>' });
    expect(primary).toBe(expected);
  });

  it.each([
    ["0 12px 12px 12px", 12],
    ["12px 12px 12px 0 / 6px", 12],
    ["999px 0 999px 999px", 9999],
  ])("has the radius of most of its corners: %s", async (corners, radius) => {
    const { design } = await read(`${BUTTON} .btn { border-radius: ${corners} }`);
    expect(design?.button?.radius).toBe(radius);
  });
});

describe("a framework's color of links", () => {
  it("ranks below the color of the window", async () => {
    const head = '<meta name="theme-color" content="#e4572e">';
    const { primary } = await read("a { color: #0070f3 }", { head });
    expect(primary).toBe("#e4572e");
  });
});
