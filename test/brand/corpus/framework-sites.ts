import { assemblePages, renderForm } from "./assembled-pages.ts";
import type { CorpusSite } from "./corpus-site.ts";

export const FRAMEWORK_SITES: readonly CorpusSite[] = [
  {
    name: "Bulma",
    package: "bulma",
    home: "/",
    pages: assemblePages(
      {
        styles: ["css/bulma.css"],
        header: (mark) =>
          `<nav class="navbar" role="navigation" aria-label="main navigation"><div class="navbar-brand"><a class="navbar-item" href="/">${mark}</a></div><div class="navbar-menu"><div class="navbar-start"><a class="navbar-item" href="/about/">About</a></div><div class="navbar-end"><div class="navbar-item"><div class="buttons"><a class="button is-primary" href="/join/"><strong>Sign up</strong></a><a class="button is-light" href="/in/">Log in</a></div></div></div></div></nav>`,
        hero: ({ title, lead }) =>
          `<section class="hero is-primary"><div class="hero-body"><h1 class="title">${title}</h1><p class="subtitle">${lead}</p></div></section>`,
        main: (content) => `<main class="section"><div class="container content">${content}</div></main>`,
        form: renderForm(`<button class="button is-primary">Send</button>`, "input"),
        footer: `<footer class="footer"><div class="content has-text-centered"><p>Tidewater</p></div></footer>`,
      },
      { logo: "picture" },
    ),
    documentation: [
      {
        file: "sass/utilities/initial-variables.scss",
        says: [
          "$turquoise: hsl(171, 100%, 41%)",
          '$family-sans-serif: "Inter"',
          '$family-monospace: "Inconsolata"',
          "$scheme-h: 221",
          "$scheme-s: 14%",
        ],
      },
      { file: "sass/utilities/derived-variables.scss", says: ["$primary: iv.$turquoise"] },
      { file: "sass/themes/light.scss", says: ["$scheme-main-l: 100%", '"text-l": 29%'] },
      { file: "sass/themes/dark.scss", says: ["$scheme-main-l: 9%"] },
    ],
    expected: {
      light: { primary: "#00d1b2", background: "#ffffff", text: "#404654" },
      dark: { primary: "#00d1b2", background: "#14161a" },
      fonts: { heading: "Inter", body: "Inter", mono: "Inconsolata" },
      logo: "brand/mark.svg",
    },
  },
  {
    name: "UIkit",
    package: "uikit",
    home: "/",
    pages: assemblePages(
      {
        styles: ["dist/css/uikit.css"],
        header: (mark) =>
          `<nav class="uk-navbar-container"><div class="uk-container"><div uk-navbar><div class="uk-navbar-left"><a class="uk-navbar-item uk-logo" href="/">${mark}</a><ul class="uk-navbar-nav"><li><a href="/about/">About</a></li></ul></div></div></div></nav>`,
        hero: ({ title, lead }) =>
          `<div class="uk-section uk-section-default"><div class="uk-container"><h1>${title}</h1><p class="uk-text-lead">${lead}</p><a class="uk-button uk-button-primary" href="/join/">Start</a> <a class="uk-button uk-button-default" href="/about/">More</a></div></div>`,
        main: (content) => `<main class="uk-section"><div class="uk-container">${content}</div></main>`,
        form: renderForm(`<button class="uk-button uk-button-primary">Send</button>`, "uk-input"),
        footer: `<div class="uk-section uk-section-secondary"><div class="uk-container"><p>Tidewater</p></div></div>`,
      },
      { logo: "picture" },
    ),
    documentation: [
      {
        file: "src/scss/variables.scss",
        says: [
          "$global-primary-background: #1e87f0",
          "$global-color: #666",
          "$global-background: #fff",
          "$global-link-color: #1e87f0",
          "$global-font-family: -apple-system",
        ],
      },
    ],
    expected: {
      light: { primary: "#1e87f0", link: "#1e87f0", background: "#ffffff", text: "#666666" },
      fonts: { heading: "system-ui", body: "system-ui" },
      logo: "brand/mark.svg",
    },
  },
  {
    name: "Materialize",
    package: "materialize-css",
    home: "/",
    pages: assemblePages(
      {
        styles: ["dist/css/materialize.css"],
        header: (mark) =>
          `<nav><div class="nav-wrapper"><a href="/" class="brand-logo">${mark}</a><ul class="right hide-on-med-and-down"><li><a href="/about/">About</a></li></ul></div></nav>`,
        hero: ({ title, lead }) =>
          `<div class="section"><div class="container"><h1>${title}</h1><p>${lead}</p><a class="waves-effect waves-light btn" href="/join/">Start</a></div></div>`,
        main: (content) => `<main class="container">${content}</main>`,
        form: renderForm(`<button class="btn waves-effect waves-light" type="submit">Send</button>`),
        footer: `<footer class="page-footer"><div class="container"><p class="grey-text text-lighten-4">Tidewater</p></div></footer>`,
      },
      { logo: "picture" },
    ),
    documentation: [
      {
        file: "sass/components/_variables.scss",
        says: [
          '$primary-color: color("materialize-red", "lighten-2")',
          '$link-color: color("light-blue", "darken-1")',
          "$font-stack: -apple-system",
        ],
      },
      { file: "sass/components/_color-variables.scss", says: ['"lighten-2":  #ee6e73', '"darken-1":   #039be5'] },
    ],
    expected: {
      light: { primary: "#ee6e73", link: "#039be5" },
      fonts: { heading: "system-ui", body: "system-ui" },
      logo: "brand/mark.svg",
    },
  },
  {
    name: "NES.css",
    package: "nes.css",
    home: "/",
    pages: assemblePages(
      {
        styles: ["css/nes.css"],
        head: `<link href="https://fonts.googleapis.com/css?family=Press+Start+2P" rel="stylesheet">`,
        header: (mark) => `<header><a href="/">${mark}</a><nav><a href="/about/">About</a></nav></header>`,
        hero: ({ title, lead }) =>
          `<section class="nes-container"><h1>${title}</h1><p>${lead}</p><button type="button" class="nes-btn is-primary">Start</button><button type="button" class="nes-btn is-success">Go</button></section>`,
        main: (content) => `<main class="nes-container with-title">${content}</main>`,
        form: renderForm(`<button class="nes-btn is-primary">Send</button>`, "nes-input"),
        footer: `<footer><p>Tidewater</p></footer>`,
      },
      { logo: "picture" },
    ),
    documentation: [
      {
        file: "scss/base/variables.scss",
        says: ['$font-family: "Press Start 2P"', "normal: #209cee", "$background-color: $color-white"],
      },
    ],
    expected: {
      light: { primary: "#209cee", background: "#ffffff" },
      fonts: { heading: "Press Start 2P", body: "Press Start 2P" },
      logo: "brand/mark.svg",
    },
  },
  {
    name: "Chota",
    package: "chota",
    home: "/",
    pages: assemblePages(
      {
        styles: ["dist/chota.css"],
        header: (mark) =>
          `<nav class="nav"><div class="nav-left"><a class="brand" href="/">${mark}</a><div class="tabs"><a href="/about/">About</a></div></div><div class="nav-right"><a class="button outline" href="/in/">Log in</a></div></nav>`,
        hero: ({ title, lead }) =>
          `<div class="container"><h1>${title}</h1><p>${lead}</p><a class="button primary" href="/join/">Start</a> <a class="button secondary" href="/about/">More</a></div>`,
        main: (content) => `<main class="container">${content}</main>`,
        form: renderForm(`<button class="button primary">Send</button>`),
        footer: `<footer class="container"><p>Tidewater</p></footer>`,
      },
      { logo: "picture" },
    ),
    documentation: [
      {
        file: "dist/chota.css",
        says: [
          "--bg-color: #fff",
          "--color-primary: #14854f",
          "--font-color: #333",
          "--font-family-sans: -apple-system",
          "--font-family-mono: monaco",
        ],
      },
    ],
    expected: {
      light: { primary: "#14854f", link: "#14854f", background: "#ffffff", text: "#333333" },
      fonts: { heading: "system-ui", body: "system-ui", mono: "monaco" },
      logo: "brand/mark.svg",
    },
  },
  {
    name: "PaperCSS",
    package: "papercss",
    home: "/",
    pages: assemblePages(
      {
        styles: ["dist/paper.css"],
        header: (mark) =>
          `<nav class="border split-nav"><div class="nav-brand"><h3><a href="/">${mark}</a></h3></div><div class="collapsible"><ul class="inline"><li><a href="/about/">About</a></li></ul></div></nav>`,
        hero: ({ title, lead }) =>
          `<div class="paper container"><h1>${title}</h1><p>${lead}</p><button class="btn-primary">Start</button></div>`,
        main: (content) => `<main class="paper container">${content}</main>`,
        form: renderForm(`<button>Send</button>`),
        footer: `<footer><p>Tidewater</p></footer>`,
      },
      { logo: "text" },
    ),
    documentation: [
      {
        file: "src/core/_config.scss",
        says: ["$header-font: 'Patrick Hand SC'", "$body-font: 'Neucha'", "$font-color: $primary"],
      },
      { file: "dist/paper.css", says: ["--primary: #41403e", "--main-background: white"] },
    ],
    expected: {
      light: { primary: "#41403e", text: "#41403e", background: "#ffffff" },
      fonts: { heading: "Patrick Hand SC", body: "Neucha" },
      logo: "none",
    },
  },
];
