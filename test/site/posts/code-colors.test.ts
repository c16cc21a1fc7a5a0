import { expect, it } from "vitest";
import { inlineCodeStyle } from "../../../src/site/posts/code-colors.ts";

it.each([
  ["a color that is there", "color:#F97583", undefined],
  ["two themes of which one is the default", "color:#D73A49;--shiki-dark:#F97583", undefined],
  [
    "two themes without a default",
    "--shiki-light:#D73A49;--shiki-dark:#F97583",
    "color:#D73A49;--shiki-light:#D73A49;--shiki-dark:#F97583",
  ],
  [
    "the block of two themes",
    "--shiki-light:#24292e;--shiki-dark:#e1e4e8;--shiki-light-bg:#fff;--shiki-dark-bg:#24292e; overflow-x: auto;",
    "color:#24292e;background-color:#fff;--shiki-light:#24292e;--shiki-dark:#e1e4e8;--shiki-light-bg:#fff;--shiki-dark-bg:#24292e; overflow-x: auto;",
  ],
  [
    "themes of other names, with a font style",
    "--shiki-dim:#111;--shiki-dim-font-style:italic",
    "color:#111;font-style:italic;--shiki-dim:#111;--shiki-dim-font-style:italic",
  ],
  ["the theme of variables", "color:var(--astro-code-token-keyword)", "color:var(--astro-code-token-keyword,#d73a49)"],
  ["a style that is not of code", "background:url(a.png)", undefined],
])("%s", (_, style, inlined) => {
  expect(inlineCodeStyle(style)).toBe(inlined);
});
