// The floor: the least that can store a page and serve it, with the same Node and the same database.
import { createServer } from "node:http";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { hash } from "node:crypto";

const folder = mkdtempSync(join(tmpdir(), "imprint-bench-bare-"));
const database = new DatabaseSync(join(folder, "pages.db"));
database.exec(`pragma journal_mode = wal; pragma synchronous = normal;
  create table page (slug text primary key, title text not null, html blob not null, hash text not null);`);
const read = database.prepare("select html, hash from page where slug = ?");
const write = database.prepare(
  "insert into page values (?, ?, ?, ?) on conflict (slug) do update set title = excluded.title, html = excluded.html, hash = excluded.hash",
);

const server = createServer((request, response) => {
  const slug = request.url?.split("/").at(-1) ?? "";
  if (request.method === "GET") {
    const page = read.get(slug);
    if (page === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8", ETag: `"${String(page["hash"])}"` });
    return void response.end(page["html"]);
  }
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const { title, html }: { title: string; html: string } = JSON.parse(Buffer.concat(chunks).toString());
    const bytes = Buffer.from(html);
    write.run(slug, title, bytes, hash("sha256", bytes));
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ slug }));
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  process.send?.({ apiUrl: url, pagesUrl: url, apiKey: "" });
});
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMs: (user + system) / 1000 });
});
process.once("SIGTERM", () => {
  server.closeAllConnections();
  server.close(() => {
    database.close();
    rmSync(folder, { recursive: true });
    process.exit(0);
  });
});
