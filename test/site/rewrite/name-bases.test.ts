import { expect, it } from "vitest";
import { cutsNames } from "../../../src/site/rewrite/name-bases.ts";

it.each([
  `icon.split("/").pop().replace(".png", "")`,
  `row[1].split('/').at(-1)`,
  `icon.slice(icon.lastIndexOf("/") + 1)`,
  "icon.match(/pics[/](.+)[.]png/)",
  String.raw`icon.replace(/^.*\//, "")`,
  `icon.includes("pics/a")`,
  `icon.endsWith(".png")`,
])("%s needs the addresses in data as written", (code) => {
  expect(cutsNames(code, 0)).toBe(true);
});

it.each([
  `location.pathname.split("/").pop()`,
  `location.pathname.startsWith("/blog/")`,
  `response.headers.get("content-type").includes("application/json")`,
  `file.type.startsWith("image/")`,
  `text.includes("/")`,
  String.raw`text.replace(/\s+/g, " ")`,
  `icon.split("/").pop(); tile.style.backgroundImage = "url(" + icon + ")";`,
])("%s doesn't", (code) => {
  expect(cutsNames(code, 0)).toBe(false);
});
