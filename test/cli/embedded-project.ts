import { createHash } from "node:crypto";
import { onTestFinished } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { createTemporarySite, htmlPage, type TemporarySite } from "../flow/temporary-site.ts";

const STYLE = "h1{background:url(/paper.png)}";
const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");
const POLICY = `default-src 'self'; img-src 'none'; script-src 'none'; style-src 'sha256-${STYLE_HASH}'`;

/** Opens a project that publishes to the embedded service on free ports. */
export async function openProject(service = "{ port: 0, pagesPort: 0 }") {
  const site = await createTemporarySite();
  const config = `export default { service: ${service}, brandKit: {}, posts: {} };\n`;
  await site.write("imprint.config.mjs", config);
  await site.write(
    "dist/_astro/site.css",
    "body{background:url(/paper.png)}@font-face{font-family:F;src:url(/f.woff2)}",
  );
  await site.write("dist/f.woff2", Buffer.from("wOF2 is not read here"));
  await site.write(
    "dist/shared/index.html",
    htmlPage("Shared", `<h1>Shared</h1><img src="/photo.png" alt="">`).replace(
      "<title>",
      `<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<link rel="canonical" href="/shared/">
<meta property="og:image" content="/photo.png">
<style>${STYLE}</style>
<title>`,
    ),
  );
  const run = async (...argv: readonly string[]) => {
    const written = { out: "", error: "" };
    const code = await runCli(argv, {
      ...{ cwd: site.root, environment: {} },
      out: { write: (text) => (written.out += text) },
      error: { write: (text) => (written.error += text) },
    });
    return { code, ...written };
  };
  const publish = async () => JSON.parse((await run("publish", "--json")).out);
  return { site, run, publish };
}

/** Runs `imprint serve` in a project until it is closed, by default on free ports. */
export function serve(site: Pick<TemporarySite, "root">, ...flags: readonly string[]) {
  return serveAsConfigured(site, "--port", "0", "--pages-port", "0", ...flags);
}

/** Runs `imprint serve` in a project until it is closed. */
export async function serveAsConfigured({ root }: Pick<TemporarySite, "root">, ...flags: readonly string[]) {
  const stop = new AbortController();
  const said = Promise.withResolvers<string>();
  const ended = runCli(["serve", "--json", ...flags], {
    ...{ cwd: root, environment: {}, signal: stop.signal },
    out: { write: (text) => said.resolve(text) },
    error: { write() {} },
  });
  const close = async () => {
    stop.abort();
    await ended;
  };
  onTestFinished(close);
  const addresses: { readonly api: string; readonly pages: string; readonly data: string; readonly config?: string } =
    JSON.parse(await said.promise);
  return { ...addresses, close };
}
