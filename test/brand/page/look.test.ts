// Which schemes a site has: its styles may define one that visitors can't get.
import { describe, expect, it } from "vitest";
import { extractFrom, pageOf } from "../site-of.ts";

const TEXT = `<header><a href="/"><img src="/logo.svg" alt="Tern"></a></header><p>${"Words enough to be a page. ".repeat(4)}</p>`;
const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30"><path d="M0 0h90v30z"/></svg>';
const FRAME = { linkTo: (address: string) => address, fileAt: (address: string) => address };

interface Site {
  readonly css: string;
  readonly root: string;
  /** In the body, above its text. */
  readonly above?: string;
  readonly scripts?: Readonly<Record<string, string>>;
}

async function schemesOf({ css, root, above = "", scripts = {} }: Site) {
  const page = pageOf(`${css} header { background: var(--g, Canvas) }`, above + TEXT).replace('lang="en"', root);
  const { defaultScheme, colors, design, frame, problems } = await extractFrom(
    { "/": page, "/logo.svg": LOGO, ...scripts },
    { frame: FRAME },
  );
  expect(problems).toEqual([]);
  return {
    defaultScheme,
    always: design?.scheme,
    light: colors.light?.background?.hex,
    dark: colors.dark?.background?.hex,
    frameFollows: /prefers-color-scheme/.test(frame?.css ?? ""),
  };
}

const ALWAYS_DARK = {
  defaultScheme: "dark",
  always: undefined,
  light: undefined,
  dark: "#111111",
  frameFollows: false,
};
const SWITCHED = { defaultScheme: "dark", light: "#fefefe", dark: "#111111" };
const BODY = "body { background: var(--g); color: #888 }";
const BY_ATTRIBUTE = `:root, [data-bs-theme=light] { --g: #fefefe } [data-bs-theme=dark] { --g: #111 } ${BODY}`;
const MARKED = 'lang="en" data-bs-theme="dark"';

describe("a site that nothing switches to light", () => {
  it.each<readonly [string, Site]>([
    ["data-bs-theme", { css: BY_ATTRIBUTE, root: MARKED }],
    ["data-theme", { css: BY_ATTRIBUTE.replaceAll("bs-theme", "theme"), root: 'data-theme="dark"' }],
    ["a class", { css: `.light { --g: #fefefe } .dark { --g: #111 } ${BODY}`, root: 'class="dark"' }],
    ["color-scheme", { css: `:root { color-scheme: dark; --g: light-dark(#fefefe, #111) } ${BODY}`, root: "" }],
    [
      "color-scheme of the root",
      { css: `:root { --g: light-dark(#fefefe, #111) } ${BODY}`, root: 'style="color-scheme: dark"' },
    ],
    [
      "an attribute, beside scripts and buttons that do other things",
      {
        css: BY_ATTRIBUTE,
        root: MARKED,
        above: `<script src="/bundle.js"></script><button class="btn btn-dark dropdown-toggle" data-bs-toggle="dropdown">More</button><button class="btn-close" data-bs-theme="dark" aria-label="Close"></button>`,
        scripts: { "/bundle.js": 'e.classList.add("show"),e.setAttribute("data-bs-toggle","dark-light")' },
      },
    ],
  ])("is always dark: by %s", async (_, site) => {
    expect(await schemesOf(site)).toEqual(ALWAYS_DARK);
  });
});

describe("a site with both schemes", () => {
  const BOTH = { light: "#fefefe", dark: "#111111" };
  const LIGHT = 'lang="en" data-bs-theme="light"';
  const BY_CLASS = `:root { --g: #fefefe } .dark { --g: #111; --h: #222 } ${BODY}`;
  const SCRIPT = '<script src="/theme.js"></script>';
  const SWITCHES = 'd.setAttribute("data-bs-theme",localStorage.theme),r.classList.toggle("dark")';

  it.each<readonly [string, Site, "light" | "dark"]>([
    ["an attribute that nothing sets", { css: BY_ATTRIBUTE, root: 'lang="en"' }, "light"],
    ["an attribute that says light", { css: BY_ATTRIBUTE, root: LIGHT }, "light"],
    ["a class that nothing sets", { css: BY_CLASS, root: 'lang="en"' }, "light"],
    ["a script that only visitors start", { css: BY_ATTRIBUTE, root: LIGHT, above: SCRIPT }, "light"],
    ["a script that only visitors start, from dark", { css: BY_ATTRIBUTE, root: MARKED, above: SCRIPT }, "dark"],
  ])("has always one if it doesn't follow the system: by %s", async (_, site, always) => {
    const seen = await schemesOf({ ...site, scripts: { "/theme.js": SWITCHES } });
    expect(seen).toEqual({ ...BOTH, defaultScheme: always, always, frameFollows: false });
  });

  it.each<readonly [string, Site]>([
    [
      "styles",
      {
        css: `:root { --g: #fefefe } @media (prefers-color-scheme: dark) { :root { --g: #111 } } ${BODY}`,
        root: LIGHT,
      },
    ],
    ["a script", { css: BY_ATTRIBUTE, root: LIGHT, above: SCRIPT }],
    ["a script that marks the root", { css: BY_CLASS, root: "", above: SCRIPT }],
    [
      "the color of the window",
      {
        css: BY_CLASS,
        root: "",
        above: '<meta name="theme-color" content="#111" media="(prefers-color-scheme: dark)">',
      },
    ],
  ])("follows the system by %s", async (_, site) => {
    const scripts = { "/theme.js": `matchMedia("(prefers-color-scheme: dark)").matches&&(${SWITCHES})` };
    const seen = await schemesOf({ ...site, scripts });
    expect(seen).toEqual({ ...BOTH, defaultScheme: "light", always: undefined, frameFollows: true });
  });
});

describe("a site that is marked as dark and has a light scheme, too", () => {
  it.each<readonly [string, Pick<Site, "above" | "scripts">]>([
    ["a button", { above: '<button class="btn" aria-label="Toggle dark mode">◐</button>' }],
    ["a select element", { above: '<button data-bs-theme-value="light">Light</button>' }],
    ["a custom element", { above: "<site-theme-toggle></site-theme-toggle>" }],
    ["a checkbox", { above: '<input type="checkbox" class="theme-controller" value="light">' }],
    [
      "a script of the site that sets classes",
      {
        above: '<script src="/theme.js"></script>',
        scripts: { "/theme.js": 'document.documentElement.classList.toggle("dark", on)' },
      },
    ],
    ["an inline script", { above: "<script>document.documentElement.dataset.bsTheme = localStorage.look</script>" }],
    [
      "a script of the site",
      {
        above: '<script type="module" src="/_astro/menu.js"></script>',
        scripts: { "/_astro/menu.js": 'd.setAttribute("data-bs-theme",d.matches?"light":"dark")' },
      },
    ],
  ])("has both schemes: by %s", async (_, site) => {
    expect(await schemesOf({ css: BY_ATTRIBUTE, root: MARKED, ...site })).toMatchObject(SWITCHED);
  });
});
