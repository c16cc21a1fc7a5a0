import { expect, it } from "vitest";
import { findMentionedImages } from "../../src/posts/render/addresses.ts";

it("images are found in Markdown, HTML, references, and imports, once each and in order", () => {
  const text = [
    "![a](./a.png 'Title') ![](<./b c.JPG>) ![][ref] [![](a.webp)](./a.png)",
    "[ref]: ../img/ref.svg",
    '<img src="d.avif" srcset="e.png 1x, f.png 2x">',
    'import hero from "../hero.jpeg";',
    "See a.pngx and https://cdn.example/x.gif?v=1 and `code.png`",
  ].join("\n");
  expect(findMentionedImages(text)).toEqual([
    "../hero.jpeg",
    "../img/ref.svg",
    "./a.png",
    "./b c.JPG",
    "a.webp",
    "code.png",
    "d.avif",
    "e.png",
    "f.png",
    "https://cdn.example/x.gif",
  ]);
});
