import { expect, it } from "vitest";
import { extractFrom, pageOf } from "../site-of.ts";

const TEXT = `<p>${"A paragraph that counts as text of a page. ".repeat(4)}</p>`;
/** The characters of Latin-1 have the same numbers in Unicode. */
const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

it.each([
  ["declared in them", '<meta charset="iso-8859-1">', '@charset "iso-8859-1";'],
  ["that they don't declare, as the characters that replace what can't be read", "", ""],
])("names of sites and fonts are read in an encoding %s", async (_, meta, charset) => {
  const page = pageOf("", `<h1>Brasserie</h1>${TEXT}`)
    .replace("<title>Tidewater", `${meta}<link rel="stylesheet" href="/a.css"><title>Café Olé`)
    .replace("<style></style>", "");
  const css = `${charset} body { font-family: "Française", serif; color: #222; background: #fff }`;
  const { name, fonts } = await extractFrom({ "/": latin1(page), "/a.css": latin1(css) });
  const shown = (text: string) => (meta === "" ? text.replaceAll(/[é-ÿç]/g, "\ufffd") : text);
  expect({ name, family: fonts.body?.family }).toEqual({ name: shown("Café Olé"), family: shown("Française") });
});
