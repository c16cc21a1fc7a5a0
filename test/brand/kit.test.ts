import { describe, expect, it } from "vitest";
import { brandKitBody } from "../../src/contract/operations/content.ts";
import { toBrandKit } from "../../src/brand/kit.ts";
import { extractFrom, HOME, pageOf } from "./site-of.ts";

const CSS = `:root { --brand: #25c2a0; --accent: #d6336c } body { background: #fff; color: #222; font-family: Lora }
  a { color: #25c2a0 } @media (prefers-color-scheme: dark) { body { background: #111; color: #eee } }`;
const BODY = `<header><a href="/"><img src="/logo.svg" alt="Tidewater"></a></header><h1>Title</h1><p>Text that is long enough to be text.</p>`;

function findings() {
  return extractFrom({ "/": pageOf(CSS, BODY), "/logo.svg": `<svg viewBox="0 0 120 30"><path d="M0 0"/></svg>` });
}

describe("toBrandKit", () => {
  it("uses plain role names for the default scheme and names the other one", async () => {
    const kit = toBrandKit(await findings());
    expect(kit.colors?.map(({ role, hex }) => `${role} ${hex}`)).toEqual([
      "background #ffffff",
      "text #222222",
      "link #25c2a0",
      "primary #25c2a0",
      "accent #d6336c",
      "dark-background #111111",
      "dark-text #eeeeee",
      "dark-link #25c2a0",
      "dark-primary #25c2a0",
      "dark-accent #d6336c",
    ]);
    expect(kit).toMatchObject({
      name: "Tidewater",
      fonts: [
        { role: "heading", family: "Lora" },
        { role: "body", family: "Lora" },
      ],
    });
    expect(kit.logos).toEqual([
      {
        kind: "logo",
        url: `${HOME}logo.svg`,
        contentType: "image/svg+xml",
        width: 120,
        height: 30,
        background: "#ffffff",
      },
    ]);
  });

  it("is a valid request body, and the same every time", async () => {
    const kit = toBrandKit(await findings());
    expect(brandKitBody.parse(kit)).toEqual(kit);
    expect(toBrandKit(await findings())).toEqual(kit);
  });

  it("keeps pinned values in their place, and adds custom roles", async () => {
    const kit = toBrandKit(await findings(), {
      name: "Tide",
      pinned: {
        colors: { primary: "#FF0000", "dark-primary": "#ff8888", seal: "#aa0000" },
        fonts: { heading: "Bitter" },
        logos: { logo: { url: "https://cdn.example/l.svg" } },
      },
    });
    expect(kit.name).toBe("Tide");
    expect(kit.colors?.[3]).toEqual({ role: "primary", hex: "#ff0000", name: "Primary" });
    expect(kit.colors?.find(({ role }) => role === "dark-primary")?.hex).toBe("#ff8888");
    expect(kit.colors?.at(-1)).toEqual({ role: "seal", hex: "#aa0000", name: "Seal" });
    expect(kit.fonts?.[0]).toEqual({ role: "heading", family: "Bitter" });
    expect(kit.logos).toEqual([{ kind: "logo", url: "https://cdn.example/l.svg" }]);
  });

  it("has the fonts that the site shows where its own are missing, but not those of bundlers", async () => {
    const css = `body { font-family: __Lora_d65c78, "__Lora_Fallback_d65c78", Georgia, serif } h1 { font-family: Ogg, "Ogg Fallback" }
      code { font-family: Menlo, ui-monospace, monospace }`;
    const fonts = toBrandKit(await extractFrom({ "/": pageOf(css, `${BODY}<p><code>npm</code></p>`) })).fonts;
    expect(fonts?.map(({ family, fallback }) => [family, fallback])).toEqual([
      ["Ogg", undefined],
      ["Lora", ["Georgia", "serif"]],
      ["Menlo", ["ui-monospace", "monospace"]],
    ]);
  });

  it("has the site's own buttons, unless another primary color is pinned", async () => {
    const css = `${CSS} .call { background: #f28c28; color: #1a1a1a; padding: 8px 16px }`;
    const body = `${BODY}<p><a class="call" href="/call">Call us</a></p>`;
    const found = await extractFrom({ "/": pageOf(css, body) });
    const buttonsOf = (primary?: string) =>
      toBrandKit(found, primary === undefined ? {} : { pinned: { colors: { primary } } }).design?.surfaces.flatMap(
        ({ part, scheme, background }) => (part === "button" ? [`${scheme} ${background}`] : []),
      );
    expect(buttonsOf()).toEqual(["light #f28c28", "dark #f28c28"]);
    expect(buttonsOf("#F28C28")).toEqual(["light #f28c28", "dark #f28c28"]);
    expect(buttonsOf("#1b5e20")).toEqual(["dark #f28c28"]);
  });

  it("accepts a pin for the default scheme under either name, and short colors", async () => {
    const kit = toBrandKit(await findings(), { pinned: { colors: { "light-primary": "#F00", "dark-link": "#abc" } } });
    const hexOf = (role: string) => kit.colors?.find((color) => color.role === role)?.hex;
    expect([hexOf("primary"), hexOf("light-primary"), hexOf("dark-link")]).toEqual(["#ff0000", undefined, "#aabbcc"]);
  });

  it("uses the library's addresses for logos, and omits those that it doesn't have", async () => {
    const found = await findings();
    expect(toBrandKit(found, { logoUrl: () => "imprint-asset:1" }).logos?.[0]?.url).toBe("imprint-asset:1");
    expect(toBrandKit(found, { logoUrl: () => undefined }).logos).toEqual([]);
  });

  it("omits uncertain values", async () => {
    expect(toBrandKit(await findings(), { minConfidence: 0.96 }).colors?.map(({ role }) => role)).not.toContain(
      "accent",
    );
  });
});
