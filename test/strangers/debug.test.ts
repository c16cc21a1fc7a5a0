import { rm } from "node:fs/promises";
import { join } from "node:path";
import { it } from "vitest";
import { DIALECTS } from "./dialects.ts";
import { startStranger } from "./host.ts";
import { createConfig } from "./run-publisher.ts";
import { runCli } from "../../src/cli/run-cli.ts";
import { API_KEY } from "./host.ts";
import { buildSites, createProject, putVersion } from "./sites.ts";

it("debug", async () => {
  const sites = await buildSites();
  for (const name of (process.env["DBG"] ?? "").split("|")) {
    const dialect = DIALECTS.find((each) => each.name.startsWith(name));
    if (dialect === undefined) continue;
    const stranger = await startStranger(dialect);
    const root = await createProject();
    const config = createConfig(root, stranger);
    await config.write({ posts: { blog: dialect.routeSet === "b" ? { create: true } : {} } });
    for (const [index, version] of (process.env["STEPS"] ?? "first,first").split(",").entries()) {
      if (index > 0) {
        await rm(join(root, ".imprint"), { recursive: true, force: true });
        if (process.env["LOST"] === "both") await rm(join(root, "imprint.lock.json"), { force: true });
      }
      if (index === 1) await config.write({ posts: { blog: {} } });
      await putVersion((sites as any)[version], root);
      const before = stranger.world.log.length;
      let out = "";
      const code = await runCli(["publish", "--json"], {
        cwd: root,
        environment: { IMPRINT_API_KEY: API_KEY },
        out: { write: (t) => (out += t) },
        error: { write: (t) => console.log("ERR", t) },
      });
      console.log("=====", dialect.name, version, "exit", code);
      try {
        for (const e of JSON.parse(out).entries)
          if (e.kind !== "keep") console.log(e.kind, e.resource, e.name, e.reason, e.error?.message ?? "");
      } catch {
        console.log(out);
      }
      console.log(
        stranger.world.log
          .slice(before)
          .map((r) => `${r.method} ${r.path} ${r.status}`)
          .join("\n"),
      );
      console.log([...stranger.world.sites.values()].map((x) => JSON.stringify(x)).join("\n"));
    }
    await stranger.close();
  }
}, 200000);
