import { expect, it } from "vitest";
import { inlineCodeStyle } from "../../src/posts/render/code-colors.ts";

it.each([
  ["a single color", "color:#F97583", undefined],
  [
    "two themes with light as the default",
    "color:#D73A49;--shiki-dark:#F97583",
    "color:#D73A49;--shiki-dark:#F97583;color:light-dark(#D73A49,#F97583)",
  ],
  [
    "two themes with dark as the default",
    "color:#F97583;--shiki-light:#D73A49",
    "color:#F97583;--shiki-light:#D73A49;color:light-dark(#D73A49,#F97583)",
  ],
  [
    "the code block of two themes with a default",
    "background-color:#fff;--shiki-dark-bg:#24292e;color:#24292e;--shiki-dark:#e1e4e8; overflow-x: auto;",
    "background-color:#fff;--shiki-dark-bg:#24292e;color:#24292e;--shiki-dark:#e1e4e8; overflow-x: auto;color:light-dark(#24292e,#e1e4e8);background-color:light-dark(#fff,#24292e)",
  ],
  ["colors for both schemes", "color:light-dark(#D73A49,#F97583);--shiki-dark:#F97583", undefined],
  ["the code block of one theme", "background-color:#24292e;color:#e1e4e8; overflow-x: auto;", undefined],
  [
    "two themes without a default",
    "--shiki-light:#D73A49;--shiki-dark:#F97583",
    "color:#D73A49;--shiki-light:#D73A49;--shiki-dark:#F97583;color:light-dark(#D73A49,#F97583)",
  ],
  [
    "the code block of two themes",
    "--shiki-light:#24292e;--shiki-dark:#e1e4e8;--shiki-light-bg:#fff;--shiki-dark-bg:#24292e; overflow-x: auto;",
    "color:#24292e;background-color:#fff;--shiki-light:#24292e;--shiki-dark:#e1e4e8;--shiki-light-bg:#fff;--shiki-dark-bg:#24292e; overflow-x: auto;color:light-dark(#24292e,#e1e4e8);background-color:light-dark(#fff,#24292e)",
  ],
  [
    "themes with other names, and a font style",
    "--shiki-dim:#111;--shiki-dim-font-style:italic",
    "color:#111;font-style:italic;--shiki-dim:#111;--shiki-dim-font-style:italic",
  ],
  [
    "the css-variables theme",
    "color:var(--astro-code-token-keyword)",
    "color:var(--astro-code-token-keyword,light-dark(#cf222e,#ff7b72))",
  ],
  ["a style outside code", "background:url(a.png)", undefined],
])("adapts %s to both schemes", (_, style, inlined) => {
  expect(inlineCodeStyle(style)).toBe(inlined);
});
