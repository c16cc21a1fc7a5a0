import { expect, it } from "vitest";
import { dialectB } from "../../strangers/dialect.ts";
import { openBehindProxy } from "./project.ts";

// The command waits half a minute.
it("`imprint assets import` doesn't advise to import a file again that is still being processed", async () => {
  const { run, proxy } = await openBehindProxy(dialectB("B"), { posts: false });
  await run("publish", "--accept");
  proxy.meddle(({ path, answer }) => {
    if (path !== "/api/assets/import") return undefined;
    answer.writeHead(202, { "content-type": "application/json" }).end('{"id":"as_900","status":"queued"}');
    return Promise.resolve();
  });
  const { code, said } = await run("assets", "import", "https://example.org/p.png");
  expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining("is still processing it") });
  expect(said).toContain("Running this command again adds it once more.");
});
