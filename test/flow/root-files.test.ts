import { expect, it } from "vitest";
import { parseOptions, publish } from "../../src/publish.ts";
import { hostInProcess } from "./hosts.ts";
import { createTemporarySite } from "./temporary-site.ts";

it("names files that others look for at the root, once, without failing a strict run", async () => {
  const [site, host] = [await createTemporarySite(), await hostInProcess({ routeSet: "a", strict: false })];
  const { baseUrl, apiKey, pagesUrl } = host;
  const run = async () => {
    const { warnings, exitCode } = await publish({
      ...{ projectRoot: site.root, dist: site.dist, hints: {} },
      options: parseOptions({ brandKit: false, strict: true }),
      target: { baseUrl, apiKey, pagesUrl, routeSet: "a", identity: baseUrl, close: async () => {} },
    });
    expect(exitCode).toBe(0);
    return warnings.map(({ code, message }) => `${code}: ${message}`);
  };
  await site.write("dist/robots.txt", "User-agent: *");
  expect(await run()).toEqual([]);
  await site.write("dist/llms.txt", "# Site");
  expect(await run()).toEqual([expect.stringMatching(/^root-files: .* not published there: llms\.txt\. /)]);
  for (const name of [".well-known/security.txt", "humans.txt", "llms-full.txt"]) await site.write(`dist/${name}`, "x");
  expect(await run()).toEqual([
    expect.stringContaining(": .well-known/security.txt, humans.txt, llms-full.txt, and 1 more. "),
  ]);
});
