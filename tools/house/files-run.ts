import { Session } from "node:inspector/promises";
import { pathToFileURL } from "node:url";
import { startService } from "../../src/service.ts";

/** Paths of our files, relative to `src/`. */
export interface FilesRun {
  readonly put: readonly string[];
  readonly get: readonly string[];
  readonly beacon: readonly string[];
  /** All files that the process has loaded. */
  readonly loaded: readonly string[];
}

const REQUESTS = 4;

/** Finds our files with a function that runs for one request, after everything is loaded. */
export async function filesRun(repository: string): Promise<FilesRun> {
  const sources = pathToFileURL(`${repository}src/`).href;
  const session = new Session();
  session.connect();
  const service = await startService({ ephemeral: true, port: 0, pagesPort: 0 });
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    const address = `${service.baseUrl("a")}/api/pages/house`;
    const headers = { authorization: `Bearer ${service.apiKey}`, "content-type": "application/json" };
    const put = (title: string) => {
      const body = JSON.stringify({ title, html: `<!doctype html><title>${title}</title><p>${title}</p>` });
      return fetch(address, { method: "PUT", headers, body });
    };
    const page = `${service.pagesUrl}/p/house`;
    await put("First");
    const view = await findView(page);
    const origin = new URL(page).origin;

    // Only counts files that run in each of several requests, as background jobs only run beside some.
    async function run(request: () => Promise<Response>): Promise<readonly string[]> {
      let always = await runOnce(request);
      for (let again = 1; again < REQUESTS; again++) {
        const used = new Set(await runOnce(request));
        always = always.filter((path) => used.has(path));
      }
      return always;
    }

    async function runOnce(request: () => Promise<Response>): Promise<readonly string[]> {
      await (await request()).arrayBuffer();
      await session.post("Profiler.takePreciseCoverage");
      const response = await request();
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${response.url} answered ${response.status}.`);
      const { result } = await session.post("Profiler.takePreciseCoverage");
      const used = result.filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0));
      return ownPaths(used.map(({ url }) => url));
    }

    function ownPaths(urls: readonly string[]): readonly string[] {
      return urls.filter((url) => url.startsWith(sources)).map((url) => url.slice(sources.length));
    }

    let number = 0;
    return {
      put: await run(() => put(`Version ${number++}`)),
      get: await run(() => visit(page)),
      beacon: await run(() =>
        fetch(`${origin}/_b`, {
          method: "POST",
          headers: { origin, "user-agent": BROWSER },
          body: JSON.stringify({ ...view, k: `view${String(number++).padStart(12, "0")}` }),
        }),
      ),
      loaded: ownPaths(await listScripts(session)),
    };
  } finally {
    await service.close();
    session.disconnect();
  }
}

async function listScripts(session: Session): Promise<readonly string[]> {
  const urls: string[] = [];
  session.on("Debugger.scriptParsed", ({ params }) => urls.push(params.url));
  await session.post("Debugger.enable");
  return urls;
}

const BROWSER = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

function visit(page: string): Promise<Response> {
  return fetch(page, { headers: { "user-agent": BROWSER, accept: "text/html,application/xhtml+xml" } });
}

/** Returns the data of one view as sent by a page's script. */
async function findView(page: string) {
  const html = await (await visit(page)).text();
  const [, id, version] = /data-p="([^"]+)" data-v="(\d+)"/.exec(html) ?? [];
  if (id === undefined) throw new Error("The page has no script that counts its views.");
  return { t: "view", p: id, v: Number(version), w: 1280, r: "" };
}
