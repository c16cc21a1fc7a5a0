import { expect, it } from "vitest";
import { htmlPage } from "../temporary-site.ts";
import { openAtService } from "./project.ts";

it("a publish after a rollback reports the rollback, not another checkout", async () => {
  const { run, write } = await openAtService("a", { posts: false });
  const about = (text: string) => write("dist/about/index.html", htmlPage("About", `<h1>${text}</h1>`));
  await about("One");
  await run("publish");
  await about("Two");
  await run("publish");
  await run("releases", "rollback", "--yes");
  const { code, said } = await run("publish");
  expect({ code, said }).toMatchObject({
    code: 0,
    said: expect.stringMatching(/The release rel_\w+ was restored after/),
  });
  expect(said).not.toContain("nother checkout");
  await about("Three");
  expect((await run("publish")).said).not.toContain("was restored");
});
