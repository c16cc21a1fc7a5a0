import { expect, it } from "vitest";
import { nameElements } from "../../../src/service/dashboard/pages/element-names.ts";

const PAGE = `<!doctype html><html><head><title>Shop</title></head><body><header><a href="/">Home</a><a href="/more">More
  <b>bread</b></a></header><main id="content"><p>One</p><p>Two</p><input name="mail" placeholder="Your mail">
<a href="/x"><img src="x.png" alt="A loaf"></a><button aria-label="Close">×</button><div><script>let a;</script></div>
<p>${"Long text ".repeat(20)}</p></main></body></html>`;

it.for([
  ["header:nth-of-type(1)>a:nth-of-type(2)", "More bread"],
  ["#content>p:nth-of-type(2)", "Two"],
  ["#content>input:nth-of-type(1)", "Your mail"],
  ["#content>a:nth-of-type(1)", "A loaf"],
  ["#content>button:nth-of-type(1)", "Close"],
  ["#content>p:nth-of-type(3)", "Long text Long text Long text Long text Long text Long text…"],
] as const)("names %s by its visible text: %s", ([selector, name]) => {
  expect(nameElements(PAGE, [selector])).toEqual(new Map([[selector, name]]));
});

it.for(["#gone", "main:nth-of-type(2)", "#content>div:nth-of-type(1)", "*:has(*)", "]["])(
  "doesn't name %s, which doesn't exist or has no text",
  (selector) => {
    expect(nameElements(PAGE, [selector])).toEqual(new Map());
  },
);
