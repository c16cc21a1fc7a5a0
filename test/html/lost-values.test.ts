import { expect, it } from "vitest";
import { findLostValues, leadsAway } from "../../src/html/lost-values.ts";

const PLACE = "https://press.example/p/paper";
const STYLES = '<style>@media print { .note { color: red } } :root { --ink: navy }</style><p class="note">Ink</p>';

it.each([
  { sent: '<form action="/send">', shown: '<form action="https://host.example/c">', lost: ["<form action>"] },
  { sent: '<form action="/send">', shown: '<form action="https://press.example/send/">', lost: [] },
  // Parts that a host removes altogether have names of their own.
  { sent: '<form action="/send"></form><p>Ink</p>', shown: "<p>Ink</p>", lost: [] },
  { sent: '<a href="/a">A</a> <a href="/b">B</a>', shown: "A B", lost: [] },
  { sent: '<a href="/a">A</a> <a href="/b">B</a>', shown: '<a href="/a">A</a> <a href="#">B</a>', lost: ["<a href>"] },
  { sent: '<a href="/a#x">A</a>', shown: '<a href="http://press.example/a/?ref=1">A</a>', lost: [] },
  {
    sent: '<a href="https://mill.example/a">A</a>',
    shown: '<a href="/out?to=https%3A%2F%2Fmill.example%2Fa">A</a>',
    lost: [],
  },
  {
    sent: '<a href="mailto:a@b.example">A</a>',
    shown: '<a href="/cdn-cgi/l/email-protection#0a">A</a>',
    lost: [],
  },
  { sent: '<iframe src="/map">', shown: '<iframe src="about:blank" data-src="/map">', lost: ["<iframe src>"] },
  { sent: '<iframe src="/map">', shown: '<iframe sandbox src="/map">', lost: ["<iframe src>"] },
  { sent: '<img src="a.png"><img src="b.png">', shown: '<img src="a.png"><img>', lost: ["<img src>"] },
  // The host's script loads it.
  { sent: '<img src="a.png"><img src="b.png">', shown: '<img src="a.png"><img><script src="l.js"></script>', lost: [] },
  { sent: '<p class="a b">Ink</p>', shown: '<p class="x-a x-b">Ink</p>', lost: ["class"] },
  { sent: '<p class="a" id="b">Ink</p>', shown: "<p>Ink</p>", lost: [] },
  { sent: STYLES, shown: STYLES.replace(/@media print \{(.*?\}) \}/, "$1"), lost: ["styles (@media)"] },
  { sent: STYLES, shown: STYLES.replace("--ink: navy", ""), lost: ["styles (--ink)"] },
  { sent: STYLES, shown: STYLES.replaceAll(": ", ":").replaceAll(" { ", "{"), lost: [] },
  { sent: STYLES, shown: '<link rel="stylesheet" href="/s.css"><style>b{}</style><p class="note">Ink</p>', lost: [] },
])("$sent shown as $shown lacks $lost", ({ sent, shown, lost }) => {
  expect(findLostValues(sent, shown, PLACE)).toEqual(lost);
});

it.each([
  ['<meta http-equiv="refresh" content="5; url=/other">', true],
  ['<meta http-equiv="refresh" content="60">', false],
])("a host that adds %s sends readers away: %s", (added, isAway) => {
  expect(leadsAway("<p>Ink</p>", `${added}<p>Ink</p>`)).toBe(isAway);
});
