import { LAMPS } from "../data/lamps";
import { SHADES } from "./shades";

function on(id: string, act: () => void): void {
  document.querySelector(`[data-go='${id}']`)?.addEventListener("click", act);
}

const STEPS = ["/cart/", "/sizes/", "/thank-you/"];

on("href", () => {
  location.href = "/thank-you/?order=7#receipt";
});
on("assign", () => location.assign("/cart/"));
on("replace", () => location.replace("/cart/"));
on("window-location", () => {
  window.location = "/cart/" as unknown as Location;
});
on("pathname", () => {
  location.pathname = "/sizes/";
});
on("open", () => void window.open("/sizes/", "_blank"));
on("template", () => {
  const id = LAMPS[1]?.id ?? "";
  location.href = `/product/${id}/`;
});
on("data", () => {
  location.href = LAMPS[2]?.route ?? "";
});
on("steps", () => {
  location.href = STEPS[STEPS.indexOf("/cart/") + 1] ?? "";
});
on("origin", () => {
  location.href = `${location.origin}/cart/?from=origin`;
});
on("url", () => {
  const address = new URL("/thank-you/", location.href);
  address.searchParams.set("order", "8");
  location.href = address.href;
});
on("relative", () => {
  location.href = "../../cart/";
});
on("anchor", () => {
  const anchor = document.createElement("a");
  anchor.href = "/sizes/#large";
  document.body.append(anchor);
  anchor.click();
});
on("push", () => {
  history.pushState({}, "", "/product/glass/?view=detail");
  document.querySelector("[data-testid='pushed']")!.textContent = `Pushed ${location.pathname}${location.search}`;
});
on("query", () => {
  history.replaceState({}, "", "?shade=moss");
  history.replaceState({}, "", "#shelf");
  const shade = new URLSearchParams(location.search).get("shade") ?? "";
  document.querySelector("[data-testid='pushed']")!.textContent = `${SHADES[shade]} ${location.hash}`;
});
on("foreign", () => {
  location.href = "https://elsewhere.example/thank-you/";
});
on("missing", () => {
  location.href = "/no-such-lamp/";
});
on("basket", () => {
  location.href = "/basket";
});
