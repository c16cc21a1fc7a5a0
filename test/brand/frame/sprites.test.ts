import { expect, it } from "vitest";
import { extractFrom, pageOf } from "../site-of.ts";

it("a frame has drawings of the site's sprite, which browsers load only from its own host", async () => {
  const drawing = (id: string) => `<svg class="${id}"><use href="/sprite.svg#${id}"></use></svg>`;
  const body = `<header><a href="/">${drawing("logo")} Tidewater</a> <a href="/fees">${drawing("gone")} Fees</a></header><main><p>${"Words on the page. ".repeat(9)}</p></main>`;
  const sprite = '<svg><symbol id="logo" viewBox="0 0 9 3"><script>x()</script><path d="M0 0h9v3z"/></symbol></svg>';
  const { frame } = await extractFrom(
    { "/": pageOf("", body), "/sprite.svg": sprite },
    { frame: { linkTo: (address) => address, fileAt: (address) => address } },
  );
  const [, id = ""] = /<svg class="logo"><use href="#([^"]+)"/.exec(frame?.header ?? "") ?? [];
  expect(frame?.header).toContain(`<symbol id="${id}" viewBox="0 0 9 3"><path d="M0 0h9v3z"/></symbol>`);
  expect(frame?.header).toContain('<svg class="gone"></svg> Fees');
});
