import { expect, it } from "vitest";
import { fixViewportHeight } from "../../../src/service/dashboard/pages/viewport-height.ts";

it.for([
  ["<style>.hero{min-height:100vh}</style>", "<style>.hero{min-height:800px}</style>"],
  ["<style>a{height:calc(50svh - 1rem)}</style>", "<style>a{height:calc(400px - 1rem)}</style>"],
  ["<style>a{margin:-.5dvh 1vw}</style>", "<style>a{margin:-4px 1vw}</style>"],
  ["<style>a{height:10vh}", "<style>a{height:80px}"],
  ['<div style="height: 25vb">', '<div style="height: 200px">'],
  ["<div style='height:10LVH'>", "<div style='height:80px'>"],
] as const)("lays out %s as in a window with a fixed height", ([html, expected]) => {
  expect(fixViewportHeight(html, 800)).toBe(expected);
});

it.for([
  "<p>100vh is the window</p>",
  String.raw`<style>.h-\[100vh\]{color:red}.m-\[-10vh\]{color:red}.h-100vh{color:red}</style>`,
  "<style>a{width:100vw;height:100%;background:#10vh}</style>",
  '<code data-style="100vh">',
])("leaves %s unchanged", (html) => {
  expect(fixViewportHeight(html, 800)).toBe(html);
});
