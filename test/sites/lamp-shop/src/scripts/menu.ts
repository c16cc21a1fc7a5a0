import { SHADES } from "./shades";

// The way in which every second theme marks the place of the page in its menu.
for (const link of document.querySelectorAll<HTMLAnchorElement>("#menu a")) {
  if (link.pathname === location.pathname) link.setAttribute("aria-current", "page");
}

const home = document.querySelector<HTMLElement>("[data-testid='is-home']");
if (home) home.textContent = location.pathname === "/" ? "This is the home page" : "This is another page";

const section = document.querySelector<HTMLElement>("[data-testid='section']");
if (section) section.textContent = `Section ${location.pathname.split("/")[1] || "home"}`;

const shade = document.querySelector<HTMLElement>("[data-shade]");
if (shade) shade.textContent = SHADES[shade.dataset.shade ?? ""] ?? "";
