import { createSplitService } from "./src/service/service.ts";
import { mkdtempSync } from "node:fs";
const service = createSplitService(
  { dataDir: mkdtempSync("/tmp/mbx-") },
  { appUrl: "http://localhost:4400", pagesUrl: "http://127.0.0.1:4401" },
);
const { app, pages } = await service.open();
const body = (r, n) =>
  Buffer.from(
    JSON.stringify({
      title: "Page",
      html: `<!doctype html><title>x</title><body>${`<p>Paragraph of ${r} ${n} with <a href="/p/x">x</a></p>\n`.repeat(190)}</body>`,
    }),
  );
const H = {
  host: "localhost:4400",
  authorization: `Bearer ${service.apiKey}`,
  "content-type": "application/json",
  accept: "text/html,application/xhtml+xml",
};
const req = (method, path, bytes, host = "127.0.0.1:4401") => ({
  method,
  path,
  query: "",
  host,
  scheme: "http",
  headers: { get: (n) => H[n.toLowerCase()] ?? null },
  readBody: async () => bytes,
});
const conn = { incoming: {}, outgoing: {} };
const get = (i) => pages.findAnswer(req("GET", "/p/page-" + (i % 200)), conn);
const put = (i, b) => app.findAnswer(req("PUT", "/a/api/pages/page-" + (i % 200), b, "localhost:4400"), conn);
for (let i = 0; i < 200; i++) await put(i, body(0, i));
async function time(name, n, fn) {
  const c = process.cpuUsage();
  const t = performance.now();
  for (let i = 0; i < n; i += 16) await Promise.all(Array.from({ length: 16 }, (_, k) => fn(i + k)));
  const d = process.cpuUsage(c);
  console.log(
    name,
    (((performance.now() - t) / n) * 1000).toFixed(2),
    "us wall",
    ((d.user + d.system) / n).toFixed(2),
    "us cpu",
  );
}
const bodies = Array.from({ length: 400 }, (_, i) => body(1 + Math.floor(i / 200), i));
let r = 0;
for (let k = 0; k < 3; k++) {
  await time("get", 20000, get);
  await time("put", 3200, (i) => put(i, bodies[(r + i) % 400]));
  r += 200;
}
await service.close();
