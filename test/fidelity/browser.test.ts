import { once } from "node:events";
import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { launchBrowser } from "../browser.ts";

it("rejects a module from a host without CORS, like readers' browsers", async () => {
  const [library, pages] = [
    await serve("text/javascript", "globalThis.ran = true;"),
    await serve("text/html", "<p>Page"),
  ];
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(pages);
  const script = page.addScriptTag({ url: library, type: "module" });
  await expect(script).rejects.toThrow();
  expect(await page.evaluate(() => "ran" in globalThis)).toBe(false);
});

async function serve(type: string, body: string): Promise<string> {
  const server = createServer((_, response) => response.setHeader("content-type", type).end(body));
  onTestFinished(() => void server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`;
}
