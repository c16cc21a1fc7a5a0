import type { CorpusSite } from "./corpus-site.ts";

/** Sites that are built in their packages, as published by their authors. */
export const DEMO_SITES: readonly CorpusSite[] = [
  {
    name: "Start Bootstrap Creative",
    package: "startbootstrap-creative",
    root: "dist",
    home: "/index.html",
    documentation: [
      { file: "src/scss/variables/_colors.scss", says: ["$orange: #f4623a", "$primary: $orange"] },
      {
        file: "src/scss/variables/_typography.scss",
        says: ['$font-family-serif: "Merriweather"', '$font-family-sans-serif: "Merriweather Sans"'],
      },
    ],
    expected: {
      light: { primary: "#f4623a", link: "#f4623a", background: "#ffffff", text: "#212529" },
      fonts: { heading: "Merriweather Sans", body: "Merriweather" },
      logo: "none",
    },
  },
  {
    name: "Start Bootstrap Resume",
    package: "startbootstrap-resume",
    root: "dist",
    home: "/index.html",
    documentation: [
      { file: "src/scss/variables/_colors.scss", says: ["$orange: #bd5d38", "$primary: $orange"] },
      {
        file: "src/scss/variables/_typography.scss",
        says: ['$font-family-base: "Muli"', '$headings-font-family: "Saira Extra Condensed"'],
      },
    ],
    expected: {
      light: { primary: "#bd5d38", link: "#bd5d38", background: "#ffffff" },
      fonts: { heading: "Saira Extra Condensed", body: "Muli" },
      logo: "none",
    },
  },
  {
    name: "SB Admin",
    package: "startbootstrap-sb-admin",
    root: "dist",
    home: "/index.html",
    documentation: [{ file: "src/scss/styles.scss", says: ["bootstrap/scss/bootstrap.scss"] }],
    expected: {
      light: { primary: "#0d6efd", link: "#0d6efd", background: "#ffffff", text: "#212529" },
      fonts: { heading: "system-ui", body: "system-ui" },
      logo: "none",
    },
  },
  {
    name: "Soft UI Design System",
    package: "soft-ui-design-system",
    home: "/index.html",
    documentation: [
      {
        file: "assets/scss/soft-design-system/_variables.scss",
        says: ["$primary:       #cb0c9f", "$font-color:            #67748e", "'Open Sans'"],
      },
    ],
    expected: {
      light: { primary: "#cb0c9f", text: "#67748e", background: "#ffffff" },
      fonts: { heading: "Open Sans", body: "Open Sans" },
      logo: "none",
    },
  },
  {
    name: "Material Kit",
    package: "material-kit",
    home: "/index.html",
    documentation: [
      {
        file: "assets/scss/material-kit/variables/_bootstrap-material-design.scss",
        says: ["$brand-primary:     $purple", "$link-color: $brand-primary"],
      },
      { file: "assets/scss/material-kit/_misc.scss", says: ["background-color: #eee"] },
    ],
    expected: {
      light: { primary: "#9c27b0", link: "#9c27b0", background: "#eeeeee", text: "#3c4858" },
      fonts: { body: "Roboto" },
      logo: "none",
    },
  },
  {
    name: "Milligram",
    package: "milligram",
    origin: "https://milligram.io",
    home: "/example.html",
    documentation: [
      { file: "src/_Color.sass", says: ["$color-primary: #9b4dca", "$color-secondary: #606c76"] },
      { file: "src/_Base.sass", says: ["color: $color-secondary", "font-family: 'Roboto'"] },
      { file: "src/_Link.sass", says: ["color: $color-primary"] },
      { file: "package.json", says: ['"homepage": "https://milligram.io"'] },
    ],
    expected: {
      light: { primary: "#9b4dca", link: "#9b4dca", text: "#606c76" },
      fonts: { heading: "Roboto", body: "Roboto" },
      logo: "svg",
    },
  },
  {
    name: "Spectre.css documentation",
    package: "spectre.css",
    root: "docs",
    home: "/index.html",
    documentation: [
      {
        file: "src/_variables.scss",
        says: [
          "$primary-color: #5755d9",
          "$link-color: $primary-color",
          '"SF Mono", "Segoe UI Mono"',
          "-apple-system, system-ui",
        ],
      },
    ],
    expected: {
      light: { primary: "#5755d9", link: "#5755d9", background: "#ffffff", text: "#3b4351" },
      fonts: { heading: "system-ui", body: "system-ui", mono: "SF Mono" },
      logo: "img/spectre-logo.svg",
    },
  },
];
