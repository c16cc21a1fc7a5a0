import { expect, it } from "vitest";
import { findLostMarkup } from "../../src/html/lost-markup.ts";

const HEAD = '<title>Ink</title><meta name="description" content="About ink."><meta name="viewport" content="width=1">';

it.each([
  { sent: '<p style="color:red">Ink</p>', shown: "<p>Ink</p>", lost: ["style"] },
  { sent: '<button onclick="go()">Go</button>', shown: "<button>Go</button>", lost: ["onclick"] },
  {
    sent: '<ul data-tabs><li data-tab="one">One</li></ul>',
    shown: "<ul><li>One</li></ul>",
    lost: ["data-tabs", "data-tab"],
  },
  { sent: "<x-counter>1</x-counter>", shown: "1", lost: ["<x-counter>"] },
  { sent: "<x-counter start=3>1</x-counter>", shown: "1", lost: ["<x-counter>"] },
  { sent: '<img src="a.png" alt="A jar">', shown: '<img src="a.png">', lost: ["alt"] },
  { sent: "<ul><li>One</li></ul>", shown: "<p>One</p>", lost: ["<ul>", "<li>"] },
  { sent: "<p>E = mc<sup>2</sup></p>", shown: "<p>E = mc2</p>", lost: ["<sup>"] },
  { sent: HEAD, shown: "<title>Ink</title>", lost: ['<meta name="description">', '<meta name="viewport">'] },
  { sent: '<meta property="og:title" content="Ink">', shown: "", lost: ['<meta property="og:title">'] },
  { sent: "<math><mi>x</mi></math><p>x</p>", shown: "<p>x</p>", lost: ["<math>"] },
  {
    sent: '<script type="application/ld+json">{}</script><p>Ink</p>',
    shown: "<script>go()</script><p>Ink</p>",
    lost: ['<script type="application/ld+json">'],
  },
  { sent: "<!DOCTYPE html><p>Ink</p>", shown: "<p>Ink</p>", lost: ["<!DOCTYPE html>"] },
  {
    sent: "<!doctype html><p>Ink</p>",
    shown: '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN"><p>Ink</p>',
    lost: ["<!DOCTYPE html>"],
  },
  {
    sent: '<!doctype html><html lang="en">',
    shown: '<script src="s.js"></script><!doctype html><html lang="en">',
    lost: [],
  },
  { sent: "<!doctype html><p>Ink</p>", shown: "\uFEFF<!-- x -->\n<!DOCTYPE html><p>Ink</p>", lost: [] },
  { sent: "<p>Ink</p>", shown: "<div><p>Ink</p></div>", lost: [] },
  // What hosts write in another way, and what has names of its own.
  { sent: "<b>Ink</b> <i>blue</i>", shown: "<strong>Ink</strong> <em>blue</em>", lost: [] },
  { sent: '<div><p class="a" id="b" title="">Ink</p></div>', shown: "<p>Ink</p>", lost: [] },
  { sent: '<table><tr><td colspan="2">Ink</td></tr></table>', shown: "<p>Ink</p>", lost: [] },
  { sent: '<img src="a.png" loading="lazy" width="3">', shown: '<img data-src="a.png" src="b.gif">', lost: [] },
  { sent: '<img data-image-component="true" src="a.png">', shown: '<img src="a.png">', lost: [] },
  { sent: "<p>Ink</p>", shown: '<nav onclick="x()"><p style="a:b">Ink</p></nav>', lost: [] },
])("$sent shown as $shown lacks $lost", ({ sent, shown, lost }) => {
  expect(findLostMarkup(sent, shown)).toEqual(lost);
});
