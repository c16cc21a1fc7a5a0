import { assemblePages, renderForm } from "./assembled-pages.ts";
import type { CorpusSite } from "./corpus-site.ts";

export const DESIGN_SYSTEM_SITES: readonly CorpusSite[] = [
  {
    name: "Infima (Docusaurus)",
    package: "infima",
    home: "/",
    pages: assemblePages(
      {
        styles: ["dist/css/default/default.css"],
        htmlAttributes: 'data-theme="light"',
        header: (mark) =>
          `<nav class="navbar navbar--fixed-top"><div class="navbar__inner"><div class="navbar__items"><a class="navbar__brand" href="/"><div class="navbar__logo">${mark}</div><b class="navbar__title">Tidewater</b></a><a class="navbar__item navbar__link" href="/about/">About</a></div></div></nav>`,
        hero: ({ title, lead }) =>
          `<header class="hero hero--primary"><div class="container"><h1 class="hero__title">${title}</h1><p class="hero__subtitle">${lead}</p><a class="button button--secondary button--lg" href="/notes/first/">Start</a></div></header>`,
        main: (content) => `<main class="container markdown">${content}</main>`,
        form: renderForm(`<button class="button button--primary">Send</button>`),
        footer: `<footer class="footer footer--dark"><div class="container"><a href="/about/" class="footer__link-item">About</a><a href="https://social.example/"><img class="footer__logo" src="/pictures/contoso-logo.svg" alt="Contoso"></a></div></footer>`,
      },
      { logo: "picture" },
    ),
    documentation: [
      {
        file: "dist/css/default/default.css",
        says: [
          "--ifm-color-primary: #3578e5",
          "--ifm-color-gray-900: #1c1e21",
          "--ifm-link-color: var(--ifm-color-primary)",
          "--ifm-font-family-base: system-ui",
          "--ifm-font-family-monospace: SFMono-Regular",
        ],
      },
    ],
    expected: {
      light: { primary: "#3578e5", link: "#3578e5", text: "#1c1e21", background: "#ffffff" },
      dark: { primary: "#3578e5" },
      fonts: { heading: "system-ui", body: "system-ui", mono: "SFMono-Regular" },
      logo: "brand/mark.svg",
    },
  },
  {
    name: "daisyUI",
    package: "daisyui",
    home: "/",
    pages: assemblePages(
      {
        styles: ["daisyui.css", "themes.css"],
        htmlAttributes: 'data-theme="light"',
        header: (mark) =>
          `<div class="navbar bg-base-100 shadow-sm"><div class="flex-1"><a class="btn btn-ghost text-xl" href="/">${mark}</a></div><ul class="menu menu-horizontal"><li><a href="/about/">About</a></li></ul></div>`,
        hero: ({ title, lead }) =>
          `<div class="hero bg-base-200"><div class="hero-content text-center"><div><h1>${title}</h1><p>${lead}</p><button class="btn btn-primary">Start</button> <button class="btn">Later</button></div></div></div>`,
        main: (content) => `<main>${content}<p><a class="link link-primary" href="/about/">All about it</a></p></main>`,
        form: renderForm(`<button class="btn btn-primary">Send</button>`, "input"),
        footer: `<footer class="footer footer-center bg-base-300"><p>Tidewater</p></footer>`,
      },
      { logo: "picture" },
    ),
    documentation: [
      {
        file: "themes.css",
        says: [
          "--color-base-100:oklch(100% 0 0)",
          "--color-primary:oklch(45% .24 277.023)",
          "--color-base-content:oklch(21% .006 285.885)",
          "--color-base-100:oklch(25.33% .016 252.42)",
          "--color-primary:oklch(58% .233 277.117)",
        ],
      },
    ],
    expected: {
      light: { primary: "#422ad5", background: "#ffffff", text: "#18181b" },
      dark: { primary: "#605dff", background: "#1d232a" },
      logo: "brand/mark.svg",
    },
  },
  {
    name: "GOV.UK Frontend",
    package: "govuk-frontend",
    home: "/",
    pages: assemblePages(
      {
        styles: ["dist/govuk/govuk-frontend.min.css"],
        htmlAttributes: 'class="govuk-template"',
        bodyAttributes: 'class="govuk-template__body"',
        header: () =>
          `<header class="govuk-header"><div class="govuk-header__container govuk-width-container"><div class="govuk-header__logo"><a href="/" class="govuk-header__homepage-link"><svg role="img" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 324 60" height="30" width="162" fill="currentcolor" class="govuk-header__logotype" aria-label="GOV.UK"><title>GOV.UK</title><circle cx="20" cy="17.6" r="3.7"/><path d="M93.94 41.25c.4 1.81"/></svg></a></div></div></header>`,
        hero: ({ title, lead }) =>
          `<div class="govuk-width-container"><h1 class="govuk-heading-xl">${title}</h1><p class="govuk-body-l">${lead}</p></div>`,
        main: (content) =>
          `<div class="govuk-width-container"><main class="govuk-main-wrapper">${content
            .replaceAll("<p>", '<p class="govuk-body">')
            .replaceAll("<h1>", '<h1 class="govuk-heading-l">')
            .replaceAll("<h2>", '<h2 class="govuk-heading-m">')
            .replaceAll("<a href", '<a class="govuk-link" href')}</main></div>`,
        form: renderForm(`<button type="submit" class="govuk-button">Send</button>`, "govuk-input"),
        footer: `<footer class="govuk-footer"><div class="govuk-width-container"><p>Tidewater</p></div></footer>`,
      },
      { logo: "picture" },
    ),
    documentation: [
      { file: "dist/govuk/settings/_colours-palette--internal.scss", says: ["#1d70b8", "#0b0c0c"] },
      { file: "dist/govuk/settings/_colours-functional.scss", says: ['"brand": (\n      name: "blue"'] },
      { file: "dist/govuk/settings/_typography-font.scss", says: ['$govuk-font-family: "GDS Transport"'] },
    ],
    expected: {
      light: { primary: "#1d70b8", background: "#ffffff", text: "#0b0c0c" },
      fonts: { heading: "GDS Transport", body: "GDS Transport" },
      logo: "svg",
    },
  },
];
