// Which themes a page's classes and attributes switch, and which of them visitors get.
import { describe, expect, it } from "vitest";
import { extractFrom, pageOf } from "../site-of.ts";

const TEXT = `<header><a href="/">Tern</a></header><main><p>${"Words enough to be a page. ".repeat(4)}<a href="/more">more</a></p></main>`;
const SWITCH = "<button onclick=\"document.documentElement.classList.toggle('dark')\">◐</button>";
const FOLLOW = "<script>if (matchMedia('(prefers-color-scheme: dark)').matches) root.dataset.theme = 'dark'</script>";

interface Page {
  readonly css: string;
  /** Attributes of `html`. */
  readonly root?: string;
  /** In the body, above its text. */
  readonly above?: string;
}

async function look({ css, root = "", above = "" }: Page) {
  const page = pageOf(css, above + TEXT)
    .replace('lang="en"', root)
    .replace("<body>", '<body class="page">');
  const { defaultScheme, colors, design } = await extractFrom({ "/": page });
  const show = (set: typeof colors.light) => [set?.background?.hex, set?.link?.hex];
  return { defaultScheme, always: design?.scheme, light: show(colors.light), dark: show(colors.dark) };
}

describe("a dark scheme that a class or attribute switches", () => {
  const DARK = "{ background: #111; color: #eee }";
  it.each<readonly [string, string]>([
    ["utilities of Tailwind 3.4", `.page:is(.dark *) ${DARK} .x:is(.dark *) ${DARK} .y:is(.dark *) ${DARK}`],
    ["a utility that a script switches", `.page:is(.dark *) ${DARK}`],
    ["a nested utility of Tailwind 4", `.page { &:where(.dark, .dark *) ${DARK} }`],
    ["a flat utility of Tailwind 4", `.page:where(.dark, .dark *) ${DARK}`],
    ["a nested utility for an attribute", `.page { &:where([data-theme=dark], [data-theme=dark] *) ${DARK} }`],
    ["two rules for the body", `body.dark ${DARK} body.dark a { color: #9cf }`],
    ["a rule for the body in the root", `html.dark body ${DARK}`],
    ["a rule for the body in a class", `.dark body ${DARK}`],
    ["a rule for a class that a script switches", `.dark .page ${DARK}`],
    ["another class", `body.dark-mode ${DARK}`],
  ])("is seen: by %s", async (_, css) => {
    const seen = await look({ css: `body { background: #fefefe; color: #222 } ${css}`, above: SWITCH });
    expect(seen.light[0]).toBe("#fefefe");
    expect(seen.dark[0]).toBe("#111111");
  });

  it("isn't seen in a class of components", async () => {
    const css = `body { background: #fefefe; color: #222 } .page:is(.card *) ${DARK} .dark ${DARK}`;
    expect(await look({ css })).toMatchObject({ dark: [undefined, undefined] });
  });
});

const BODY = "body { background: var(--g, #fefefe); color: var(--t, #222) } a { color: var(--l) }";

describe("a page as it is delivered", () => {
  it.each<readonly [string, Page]>([
    [
      "later styles override those of a framework's light theme",
      { css: `:root, [data-bs-theme=light] { --l: #0d6efd } ${BODY} :root { --l: #1f6d5a }` },
    ],
    [
      "later styles override those of a light class",
      { css: `:root, .light { --l: #0d6efd } ${BODY} body { --l: #1f6d5a }` },
    ],
    [
      "its theme overrides a dark scheme",
      {
        css: `:root { --l: #06c } @media (prefers-color-scheme: dark) { :root { --g: #111; --t: #eee } } [data-theme=light] { --g: #fefefe; --t: #222; --l: #1f6d5a } ${BODY}`,
        root: 'data-theme="light"',
      },
    ],
    [
      "its theme of another name overrides a dark scheme",
      {
        css: `@media (prefers-color-scheme: dark) { :root { --g: #111; --t: #eee } } [data-theme=bee] { color-scheme: light; --g: #fefefe; --t: #222; --l: #1f6d5a } ${BODY}`,
        root: 'data-theme="bee"',
      },
    ],
  ])("has only the scheme that browsers show: %s", async (_, page) => {
    const light = { defaultScheme: "light", always: undefined, light: ["#fefefe", "#1f6d5a"] };
    expect(await look(page)).toEqual({ ...light, dark: [undefined, undefined] });
  });

  it.each(["", 'data-theme="auto"'])(
    "has the dark scheme of its styles, not of an unset attribute: %j",
    async (root) => {
      const css = `:root { --l: #a1248f } @media (prefers-color-scheme: dark) { :root:not([data-theme=light]) { --g: #111; --t: #eee; --l: #f38be4 } } [data-theme=dark] { --g: #222; --l: #01aaff } ${BODY}`;
      expect(await look({ css, root })).toMatchObject({ light: ["#fefefe", "#a1248f"], dark: ["#111111", "#f38be4"] });
    },
  );
});

describe("a page that is dark without an attribute or class for light", () => {
  const LIGHT = "{ --g: #fefefe; --t: #222; --l: #a33 }";
  it.each<readonly [string, string]>([
    [".light", `.light ${LIGHT}`],
    ["[data-theme=light]", `[data-theme=light] ${LIGHT}`],
    ["body.light-mode", `body.light-mode ${LIGHT}`],
  ])("is dark by default: %s", async (_, css) => {
    const dark = { light: ["#fefefe", "#aa3333"], dark: ["#111111", "#ff9999"] };
    const page = { css: `:root { --g: #111; --t: #eee; --l: #f99 } ${css} ${BODY}`, above: SWITCH };
    expect(await look(page)).toEqual({ defaultScheme: "dark", always: "dark", ...dark });
    const follows = { ...page, above: FOLLOW };
    expect(await look(follows)).toEqual({ defaultScheme: "light", always: undefined, ...dark });
  });
});
