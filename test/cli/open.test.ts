import { join } from "node:path";
import { expect, it } from "vitest";
import { createTemporarySite } from "../flow/temporary-site.ts";
import { clientOf, openRunningService } from "../service/open-service.ts";
import { commandsFor } from "./run.ts";

it("prints the address of a page that is on the service, and refuses any other", async () => {
  const service = await openRunningService();
  const site = await createTemporarySite();
  const { run } = await commandsFor(service, "a");
  const open = (...page: readonly string[]) => run("open", ...page, "--no-browser", "--root", site.root);
  expect(await run("publish", join(site.root, "dist"), "--root", site.root)).toMatchObject({ code: 0 });
  const json = { title: "By hand", html: "<!doctype html><title>By hand</title>" };
  await clientOf(service, { routeSet: "a" })("PUT", "/api/pages/by-hand", { json });
  expect(await open()).toMatchObject({ code: 0, out: `${service.pagesUrl}/p/index\n` });
  for (const page of ["about", "/about", "by-hand"]) {
    const { code, out } = await open(page);
    expect([page, code, (await fetch(out.trim())).status]).toEqual([page, 0, 200]);
  }
  const { code, error } = await open("abuot");
  expect([code, error]).toEqual([2, expect.stringContaining("The service has no page abuot.")]);
});
