import { existsSync, readdirSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findAttribute } from "../../../src/html/attributes.ts";
import { parseHtml } from "../../../src/html/parse.ts";
import { textOf, visitElements } from "../../../src/html/tree.ts";
import type { SiteAsset } from "../../../src/site/model.ts";
import { FIXTURES, openFixture, publish, rewriteFixture, writeSiteFile } from "./fixture.ts";

// `UPDATE_FIXTURES=1` writes the output to the fixtures, for review before committing.
const isUpdate = process.env["UPDATE_FIXTURES"] === "1";

describe.each(readdirSync(FIXTURES))("%s", (name) => {
  it("becomes the expected page, with the expected warnings", async () => {
    const fixture = openFixture(name);
    const rewritten = await rewriteFixture(fixture);
    const warnings = rewritten.warnings.map(({ code, line }) => `${code}:${line ?? ""}`);
    expectFile(join(FIXTURES, name, "expected.html"), withoutShim(publish(rewritten.html, rewritten.assets)));
    expect(warnings).toEqual(fixture.settings.warnings ?? []);
  });

  it("adds the expected texts to the library", async () => {
    const { assets } = await rewriteFixture(openFixture(name));
    for (const asset of assets) {
      const { source } = asset;
      if (source.kind !== "text") continue;
      expect(source.assets.every((hash) => assets.some((other) => other.hash === hash))).toBe(true);
      expectFile(join(FIXTURES, name, "library", asset.name), publish(source.text, assets));
    }
  });

  it("has only scripts that can be parsed", async () => {
    const { html, assets } = await rewriteFixture(openFixture(name));
    const files = assets.flatMap(({ source, kind }) =>
      source.kind === "text" && kind === "script" ? source.text : [],
    );
    for (const code of [...scriptsOf(html), ...files]) {
      expect(() => stripTypeScriptTypes(publish(code, assets))).not.toThrow();
    }
  });

  it("stays byte for byte the same if the published page is rewritten again", async () => {
    const fixture = openFixture(name);
    const first = await rewriteFixture(fixture);
    for (const html of [first.html, publish(first.html, first.assets)]) {
      writeSiteFile(fixture.dist, fixture.page, html);
      const second = await rewriteFixture(fixture);
      // The route map gets new names.
      const again = html === first.html ? second.html : publish(second.html, second.assets);
      expect(withoutMarker(again)).toBe(withoutMarker(html));
      if (html === first.html) expect(second.html).toBe(html);
    }
  });

  it("leaves no asset address without a name", async () => {
    const { html, assets } = await rewriteFixture(openFixture(name));
    const named = new Set(Array.from(html.matchAll(/[0-9a-f]{64}/g), ([hash]) => hash));
    expect(assets.filter((asset) => !isNamed(asset, assets, named))).toEqual([]);
  });
});

function scriptsOf(html: string): readonly string[] {
  const scripts: string[] = [];
  visitElements(parseHtml(html), (element) => {
    const type = findAttribute(element, "type") ?? "module";
    if (element.tagName === "script" && type === "module") scripts.push(textOf(element));
  });
  return scripts;
}

function expectFile(path: string, content: string): void {
  if (isUpdate) {
    writeSiteFile(join(path, ".."), path.split("/").at(-1) ?? "", content);
    return;
  }
  expect(existsSync(path), `${path} is missing`).toBe(true);
  expect(content).toBe(readFileSync(path, "utf8"));
}

function isNamed(asset: SiteAsset, assets: readonly SiteAsset[], named: ReadonlySet<string>): boolean {
  return (
    named.has(asset.hash) || assets.some(({ source }) => source.kind === "text" && source.assets.includes(asset.hash))
  );
}

/** The marker's hash is of a text with placeholders, which a published page no longer has. */
function withoutMarker(html: string): string {
  return html.replace(/<meta name="imprint"[^>]*>/, "");
}

/** The fixtures don't contain the route map's script; a page with it has another hash. */
function withoutShim(html: string): string {
  const short = html.replace(/(<script data-imprint-shim>)[^]*?(?=<\/script>)/, "$1");
  return short === html ? html : withoutMarker(short);
}
