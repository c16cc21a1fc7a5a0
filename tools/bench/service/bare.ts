// The baseline: a minimal server that stores, serves and lists pages with the same Node and the same database.
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

// The API's page fields, stored in their final form, so that nothing has to be converted.
const LISTED = 200;
const FIELDS = [
  "id",
  "slug",
  "url",
  "title",
  "status",
  "createdAt",
  "updatedAt",
  "publishedAt",
  "version",
  "contentHash",
].concat(["bytes", "siteId", "editUrl", "publicUrl", "description"]);
database.exec(`create table listed (${FIELDS.join()}); create index listed_newest on listed (createdAt, id);`);
const fill = database.prepare(`insert into listed values (${FIELDS.map(() => "?").join()})`);
for (let number = 0; number < LISTED; number++) {
  const [slug, time, digest] = [`page-${number}`, new Date(number).toISOString(), hash("sha256", String(number))];
  const id = `pg_${digest.slice(0, 22)}`;
  const urls = {
    path: `/edit/${id}`,
    edit: `http://localhost:4400/edit/${id}`,
    live: `http://127.0.0.1:4401/p/${slug}`,
  };
  const known = [id, slug, urls.path, `Page ${number}`, "published", time, time, time, 7, digest];
  fill.run(...known, 12_000, null, urls.edit, urls.live, null);
}
const list = database.prepare("select * from listed order by createdAt desc, id desc limit 100");

const server = createServer((request, response) => {
  if (request.url?.startsWith("/api/pages?") === true) {
    response.writeHead(200, { "Content-Type": "application/json" });
    return void response.end(JSON.stringify({ data: list.all() }));
  }
  const slug = request.url?.split("/").at(-1) ?? "";
  if (request.method === "GET") {
    const page = read.get(slug);
    if (page === undefined) return void response.writeHead(404).end();
    response.writeHead(200, {
      "Content-Type": "text/html; charset=utf-8",
      ETag: `"${String(page["hash"])}"`,
    });
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
