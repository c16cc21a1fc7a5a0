import { expect, it } from "vitest";
import { extractFrom, pageOf } from "../site-of.ts";

async function headerOf(links: string): Promise<string> {
  const body = `<header>${links}<nav><a href="/fees">Fees</a> <a href="/tides">Tides</a></nav></header><main><p>${"Words on the page. ".repeat(9)}</p></main>`;
  const { frame } = await extractFrom(
    { "/": pageOf("", body) },
    { frame: { linkTo: (address) => address, fileAt: (address) => address } },
  );
  return frame?.header ?? "";
}

it("a frame has the picture that links to the root of a host, if it is the first link and none leads home", async () => {
  const own = `<a href="https://tide.example"><img src="/tw.png" alt=""></a>`;
  expect(await headerOf(own)).toContain("/tw.png");
  expect(await headerOf(`<a href="/">Tidewater</a>${own}`)).not.toContain("/tw.png");
  expect(await headerOf(own.replace("tide.example", "tide.example/buy?now"))).not.toContain("/tw.png");
});
