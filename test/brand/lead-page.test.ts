import { expect, it } from "vitest";
import { extractFrom, HOME, pageOf } from "./site-of.ts";

const LINKS = `<a href="/"><img src="/logo.svg" alt="Vogt"></a> <a href="/office">Office</a>`;
const TEXT = `<p>${"We build in larch and clay, in the valley. ".repeat(4)}</p>`;
const light = pageOf("body { background: #f5f4f1; color: #2c2c2a }", `<header>${LINKS}</header>${TEXT}`);
const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 3"><path d="M0 0h9v3z"/></svg>`;

it("a home page that only leads to the others doesn't decide the look of the site", async () => {
  const entrance = pageOf("body { background: #0e0e0d; color: #fff }", `<a href="/projects">Enter</a>`);
  const { home, colors, frame, logos } = await extractFrom(
    { "/": entrance, "/projects": light, "/office": light, "/logo.svg": logo },
    {
      pages: ["projects", "office"].map((path) => HOME + path),
      frame: { linkTo: (address) => address, fileAt: (address) => address },
    },
  );
  expect({ home, colors }).toMatchObject({
    home: HOME,
    colors: { light: { background: { hex: "#f5f4f1" }, text: { hex: "#2c2c2a" } } },
  });
  expect(frame?.header).toContain("Office");
  expect(logos).toMatchObject([{ kind: "logo", source: { address: `${HOME}logo.svg` } }]);
});
