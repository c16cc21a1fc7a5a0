import { assemblePages, type PageKit } from "./assembled-pages.ts";
import type { CorpusSite } from "./corpus-site.ts";

/** Plain HTML, as these style sheets need no classes. */
const PLAIN: Omit<PageKit, "styles"> = {
  header: (mark) =>
    `<header><nav><a href="/">${mark}</a> <ul><li><a href="/about/">About</a></li><li><a href="/notes/first/">Notes</a></li></ul></nav></header>`,
  hero: ({ title, lead }) => `<section><h1>${title}</h1><p>${lead}</p><p><button>Get a station</button></p></section>`,
  main: (content) => `<main>${content}</main>`,
  form: `<form action="/send" method="post"><label>Name <input name="name"></label><button type="submit">Send</button></form>`,
  footer: `<footer><p>Tidewater, by the sea. <a href="https://social.example/">Social</a></p></footer>`,
};

export const CLASSLESS_SITES: readonly CorpusSite[] = [
  {
    name: "Water.css",
    package: "water.css",
    home: "/",
    pages: assemblePages({ ...PLAIN, styles: ["out/water.css"] }, { logo: "picture" }),
    documentation: [
      {
        file: "out/water.css",
        says: [
          "--background-body: #fff",
          "--text-main: #363636",
          "--links: #0076d1",
          "--background-body: #202b38",
          "--text-main: #dbdbdb",
          "--links: #41adff",
        ],
      },
    ],
    expected: {
      light: { background: "#ffffff", text: "#363636", link: "#0076d1" },
      dark: { background: "#202b38", text: "#dbdbdb", link: "#41adff" },
      fonts: { heading: "system-ui", body: "system-ui" },
      logo: "brand/mark.svg",
    },
  },
  {
    name: "Simple.css",
    package: "simpledotcss",
    home: "/",
    pages: assemblePages({ ...PLAIN, styles: ["simple.css"] }, { logo: "picture" }),
    documentation: [
      {
        file: "simple.css",
        says: [
          "--bg: #fff",
          "--text: #212121",
          "--accent: #0d47a1",
          "--bg: #212121",
          "--text: #dcdcdc",
          "--accent: #ffb300",
          "--mono-font: Consolas",
          "--sans-font: -apple-system",
        ],
      },
    ],
    expected: {
      light: { background: "#ffffff", text: "#212121", link: "#0d47a1", primary: "#0d47a1" },
      dark: { background: "#212121", text: "#dcdcdc", link: "#ffb300", primary: "#ffb300" },
      fonts: { heading: "system-ui", body: "system-ui", mono: "Consolas" },
      logo: "brand/mark.svg",
    },
  },
  {
    name: "MVP.css",
    package: "mvp.css",
    home: "/",
    pages: assemblePages(
      {
        ...PLAIN,
        styles: ["mvp.css"],
        htmlAttributes: 'color-mode="user"',
        hero: ({ title, lead }) =>
          `<header><h1>${title}</h1><p>${lead}</p><p><a href="/about/"><i>More</i></a><a href="/notes/first/"><b>Start</b></a></p></header>`,
      },
      { logo: "text" },
    ),
    documentation: [
      {
        file: "mvp.css",
        says: [
          "--color-bg: #fff",
          "--color-text: #000",
          "--color-link: #118bee",
          "--color-bg: #333",
          "--color-link: #0097fc",
          "--color-text: #f7f7f7",
        ],
      },
    ],
    expected: {
      light: { background: "#ffffff", text: "#000000", link: "#118bee", primary: "#118bee" },
      dark: { background: "#333333", text: "#f7f7f7", link: "#0097fc" },
      fonts: { heading: "system-ui", body: "system-ui" },
      logo: "none",
    },
  },
  {
    name: "Sakura",
    package: "sakura.css",
    home: "/",
    pages: assemblePages({ ...PLAIN, styles: ["css/sakura.css"] }, { logo: "picture" }),
    documentation: [
      { file: "scss/sakura.scss", says: ["$color-blossom: #1d7484", "$color-bg: #f9f9f9", "$color-text: #4a4a4a"] },
      { file: "scss/_main.scss", says: ["color: $color-blossom"] },
    ],
    expected: {
      light: { background: "#f9f9f9", text: "#4a4a4a", link: "#1d7484", primary: "#1d7484" },
      fonts: { heading: "system-ui", body: "system-ui" },
      logo: "brand/mark.svg",
    },
  },
  {
    name: "new.css",
    package: "@exampledev/new.css",
    home: "/",
    pages: assemblePages(
      {
        ...PLAIN,
        styles: ["new.css"],
        head: `<link rel="stylesheet" href="https://fonts.xz.style/serve/inter.css">`,
      },
      { logo: "picture" },
    ),
    documentation: [
      {
        file: "new.css",
        says: [
          "--nc-tx-2: #1A1A1A",
          "--nc-bg-1: #FFFFFF",
          "--nc-lk-1: #0070F3",
          "--nc-tx-2: #eeeeee",
          "--nc-bg-1: #000000",
          "--nc-lk-1: #3291FF",
          "'Inter'",
          "--nc-font-mono: Consolas",
        ],
      },
    ],
    expected: {
      light: { background: "#ffffff", text: "#1a1a1a", link: "#0070f3", primary: "#0070f3" },
      dark: { background: "#000000", text: "#eeeeee", link: "#3291ff", primary: "#3291ff" },
      fonts: { heading: "Inter", body: "Inter", mono: "Consolas" },
      logo: "brand/mark.svg",
    },
  },
  {
    name: "Marx",
    package: "marx-css",
    home: "/",
    pages: assemblePages({ ...PLAIN, styles: ["css/marx.css"] }, { logo: "picture" }),
    documentation: [
      {
        file: "css/marx.css",
        says: [
          "--primary: #3b82f6",
          "--text: rgba(0, 0, 0, 0.8)",
          "--link-color: var(--primary)",
          "--monospace: Menlo",
          "-apple-system, BlinkMacSystemFont",
        ],
      },
    ],
    expected: {
      light: { background: "#ffffff", text: "#333333", link: "#3b82f6", primary: "#3b82f6" },
      fonts: { heading: "system-ui", body: "system-ui", mono: "Menlo" },
      logo: "brand/mark.svg",
    },
  },
  {
    name: "Pico",
    package: "@picocss/pico",
    home: "/",
    pages: assemblePages(
      {
        ...PLAIN,
        styles: ["css/pico.css"],
        header: (mark) =>
          `<header class="container"><nav><ul><li><a href="/"><strong>${mark}</strong></a></li></ul><ul><li><a href="/about/">About</a></li><li><a href="/notes/first/" class="secondary">Notes</a></li></ul></nav></header>`,
        main: (content) => `<main class="container">${content}<button class="secondary">Later</button></main>`,
      },
      { logo: "picture" },
    ),
    documentation: [
      {
        file: "scss/colors/_index.scss",
        says: [
          "$azure-550: #0172ad",
          "$azure-350: #01aaff",
          "$zinc-750: #373c44",
          "$zinc-200: #c2c7d0",
          "$slate-950: #0e1118",
          "$slate-900: #181c25",
        ],
      },
      {
        file: "scss/themes/default/_theme-colors.scss",
        says: ['"primary": $azure-550', '"primary": $azure-350', '"primary-background": $azure-550'],
      },
      {
        file: "scss/themes/default/_dark.scss",
        says: ["background-color: #{color.mix($slate-950, $slate-900)}", "color: #{$zinc-200}"],
      },
    ],
    expected: {
      light: { background: "#ffffff", text: "#373c44", link: "#0172ad", primary: "#0172ad" },
      dark: { background: "#13171f", text: "#c2c7d0", link: "#01aaff", primary: "#01aaff" },
      fonts: { heading: "system-ui", body: "system-ui", mono: "ui-monospace" },
      logo: "brand/mark.svg",
    },
  },
  {
    name: "Tufte CSS",
    package: "tufte-css",
    home: "/",
    pages: assemblePages(
      {
        ...PLAIN,
        styles: ["tufte.css"],
        header: (mark) => `<header><p>${mark}</p></header>`,
        hero: ({ title, lead }) => `<h1>${title}</h1><p class="subtitle">${lead}</p>`,
        main: (content) => `<article><section>${content}</section></article>`,
        form: "",
      },
      { logo: "text" },
    ),
    documentation: [
      {
        file: "tufte.css",
        says: ["background-color: #fffff8", "color: #111", "font-family: et-book, Palatino", "font-family: Consolas"],
      },
    ],
    expected: {
      light: { background: "#fffff8", text: "#111111" },
      fonts: { heading: "et-book", body: "et-book", mono: "Consolas" },
      logo: "none",
    },
  },
  {
    name: "terminal.css",
    package: "terminal.css",
    home: "/",
    pages: assemblePages(
      {
        ...PLAIN,
        styles: ["dist/terminal.css"],
        bodyAttributes: 'class="terminal"',
        header: (mark) =>
          `<div class="container"><div class="terminal-nav"><header class="terminal-logo"><div class="logo terminal-prompt"><a href="/" class="no-style">${mark}</a></div></header><nav class="terminal-menu"><ul><li><a class="menu-item" href="/about/">About</a></li></ul></nav></div></div>`,
        hero: ({ title, lead }) =>
          `<div class="container"><h1>${title}</h1><p>${lead}</p><button class="btn btn-primary">Get a station</button><button class="btn btn-default">Later</button></div>`,
        main: (content) => `<main class="container">${content}</main>`,
      },
      { logo: "text" },
    ),
    documentation: [
      {
        file: "dist/terminal.css",
        says: [
          "--background-color: #fff",
          "--font-color: #151515",
          "--primary-color: #1a95e0",
          '--font-stack: "Menlo"',
          '--mono-font-stack: "Menlo"',
        ],
      },
    ],
    expected: {
      light: { background: "#ffffff", text: "#151515", link: "#1a95e0", primary: "#1a95e0" },
      fonts: { heading: "Menlo", body: "Menlo", mono: "Menlo" },
      logo: "none",
    },
  },
];
