import { assemblePages, type PageKit } from "./assembled-pages.ts";
import type { CorpusSite, Documentation, ExpectedBrand } from "./corpus-site.ts";

/** Markup of Bootstrap's documentation: a navbar, a jumbotron with two buttons, a container. */
const BOOTSTRAP: Omit<PageKit, "styles"> = {
  header: (mark) =>
    `<nav class="navbar navbar-expand-lg bg-body-tertiary"><div class="container-fluid"><a class="navbar-brand" href="/">${mark}</a><button class="navbar-toggler" type="button" aria-label="Toggle navigation"><span class="navbar-toggler-icon"></span></button><div class="collapse navbar-collapse"><ul class="navbar-nav"><li class="nav-item"><a class="nav-link" href="/about/">About</a></li></ul></div></div></nav>`,
  hero: ({ title, lead }) =>
    `<div class="container py-5"><h1 class="display-5 fw-bold">${title}</h1><p class="col-md-8 fs-4">${lead}</p><button class="btn btn-primary btn-lg" type="button">Start</button> <button class="btn btn-outline-secondary btn-lg" type="button">Later</button></div>`,
  main: (content) =>
    `<main class="container">${content}<div class="alert alert-warning" role="alert">High water tonight.</div><button type="button" class="btn btn-danger">Stop</button></main>`,
  form: `<form action="/send" method="post"><input class="form-control" name="name"><button type="submit" class="btn btn-primary">Send</button></form>`,
  footer: `<footer class="container border-top"><p class="text-body-secondary">Tidewater</p></footer>`,
};

interface BootstrapSite {
  readonly name: string;
  readonly package: string;
  readonly style: string;
  readonly documentation: readonly Documentation[];
  readonly expected: Omit<ExpectedBrand, "logo">;
  readonly logo: "picture" | "text";
}

function bootstrapSite({
  name,
  package: packageName,
  style,
  documentation,
  expected,
  logo,
}: BootstrapSite): CorpusSite {
  return {
    name,
    package: packageName,
    home: "/",
    pages: assemblePages({ ...BOOTSTRAP, styles: [style] }, { logo }),
    documentation,
    expected: { ...expected, logo: logo === "picture" ? "brand/mark.svg" : "none" },
  };
}

export const BOOTSTRAP_SITES: readonly CorpusSite[] = [
  bootstrapSite({
    name: "Bootstrap",
    package: "bootstrap",
    style: "dist/css/bootstrap.css",
    documentation: [
      {
        file: "scss/_variables.scss",
        says: [
          "$blue:    #0d6efd",
          "$primary:       $blue",
          "$gray-900: #212529",
          "$body-color:                $gray-900",
          "$font-family-sans-serif:      system-ui",
        ],
      },
      {
        file: "scss/_variables-dark.scss",
        says: [
          "$body-color-dark:                   $gray-300",
          "$body-bg-dark:                      $gray-900",
          "$link-color-dark:                   tint-color($primary, 40%)",
        ],
      },
    ],
    expected: {
      light: { primary: "#0d6efd", link: "#0d6efd", background: "#ffffff", text: "#212529" },
      dark: { primary: "#0d6efd", link: "#6ea8fe", background: "#212529", text: "#dee2e6" },
      fonts: { heading: "system-ui", body: "system-ui", mono: "SFMono-Regular" },
    },
    logo: "picture",
  }),
  bootstrapSite({
    name: "Bootswatch Flatly",
    package: "bootswatch",
    style: "dist/flatly/bootstrap.css",
    documentation: [
      {
        file: "dist/flatly/_variables.scss",
        says: [
          "$blue:    #2c3e50",
          "$primary:       $blue",
          "$green:   #18bc9c",
          "$link-color:                $success",
          "$font-family-sans-serif:      Lato",
        ],
      },
    ],
    expected: {
      light: { primary: "#2c3e50", link: "#18bc9c", background: "#ffffff", text: "#212529" },
      fonts: { heading: "Lato", body: "Lato" },
    },
    logo: "picture",
  }),
  bootstrapSite({
    name: "Bootswatch Minty",
    package: "bootswatch",
    style: "dist/minty/bootstrap.css",
    documentation: [
      {
        file: "dist/minty/_variables.scss",
        says: [
          "$primary:       #78c2ad",
          "$gray-600: #888",
          "$body-color:                $gray-600",
          "$headings-font-family:        Montserrat",
        ],
      },
    ],
    expected: {
      light: { primary: "#78c2ad", text: "#888888", background: "#ffffff" },
      fonts: { heading: "Montserrat" },
    },
    logo: "text",
  }),
  bootstrapSite({
    name: "Bootswatch Superhero",
    package: "bootswatch",
    style: "dist/superhero/bootstrap.css",
    documentation: [
      {
        file: "dist/superhero/_variables.scss",
        says: [
          "$orange:  #df6919",
          "$primary:       $orange",
          "$body-bg:                   #0f2537",
          "$font-family-sans-serif:      Lato",
        ],
      },
    ],
    expected: {
      dark: { primary: "#df6919", background: "#0f2537" },
      fonts: { heading: "Lato", body: "Lato" },
    },
    logo: "picture",
  }),
  bootstrapSite({
    name: "Bootswatch United",
    package: "bootswatch",
    style: "dist/united/bootstrap.css",
    documentation: [
      {
        file: "dist/united/_variables.scss",
        says: [
          "$orange:  #e95420",
          "$primary:       $orange",
          "$body-color:                $gray-800",
          "$gray-800: #333",
          "$font-family-sans-serif:      Ubuntu",
        ],
      },
    ],
    expected: {
      light: { primary: "#e95420", text: "#333333", background: "#ffffff" },
      fonts: { heading: "Ubuntu", body: "Ubuntu" },
    },
    logo: "picture",
  }),
];
