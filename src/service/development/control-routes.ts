import type { Context, Hono } from "hono";
import * as z from "zod";
import { checkScope } from "../auth/authenticate.ts";
import type { ServiceEnv } from "../http/request-context.ts";
import { ProblemError, pointerErrors } from "../http/problem.ts";
import { parseQuery } from "../api/parse-request.ts";
import { readBody } from "../http/messages.ts";
import type { Core } from "../host/core.ts";
import { createBlog } from "../resources/blogs.ts";
import { inTransaction } from "../resources/context.ts";
import { putPage } from "../resources/pages.ts";
import { createPost } from "../resources/posts.ts";
import type { Development } from "./development.ts";
import { faultPlanSchema } from "./faults.ts";

const MAX_BODY_BYTES = 1024 * 1024;

const seedSchema = z.strictObject({
  pages: z.int().min(0).max(10_000).default(0),
  posts: z.int().min(0).max(10_000).default(0),
});
const restoreSchema = z.strictObject({ snapshot: z.string() });
const clockSchema = z.union([z.strictObject({ advanceMs: z.number() }), z.strictObject({ reset: z.literal(true) })]);
const requestsQuery = z.strictObject({ since: z.iso.datetime({ offset: true }).optional() });

/**
 * Registers routes for tests only. They require a key with `account:write`: otherwise, any web page could send such
 * requests to a service on its visitor's machine.
 */
export function registerControlRoutes(app: Hono<ServiceEnv>, core: Core, development: Development): void {
  const { clock, faults, requestLog } = development;

  function route(method: string, path: string, handle: (context: Context<ServiceEnv>) => Promise<Response>): void {
    const paths = ["", "/a", "/b"].map((prefix) => `${prefix}${path}`);
    app.on(method, paths, async (context) => {
      const credential = await core.authenticator.authenticate(context.req.header("Authorization"), core.now());
      checkScope(credential, "account:write", core.challenges);
      return await handle(context);
    });
  }

  route("POST", "/api/_reset", async () => {
    await core.store.snapshots.clear();
    development.reset();
    return done();
  });
  route("POST", "/api/_seed", async ({ req }) => {
    await seedService(core, await readJson(req.raw, seedSchema));
    return done();
  });
  route("POST", "/api/_snapshot", async () => Response.json({ snapshot: await core.store.snapshots.take() }));
  route("POST", "/api/_restore", async ({ req }) => {
    const { snapshot } = await readJson(req.raw, restoreSchema);
    if (await core.store.snapshots.restore(snapshot)) return done();
    throw new ProblemError("invalid_body", { errors: [{ pointer: "/body/snapshot", detail: "names no snapshot" }] });
  });
  route("PUT", "/api/_faults", async ({ req }) => {
    faults.set(await readJson(req.raw, faultPlanSchema));
    return done();
  });
  route("GET", "/api/_requests", async ({ req }) => {
    const { since } = parseQuery(requestsQuery, new URL(req.url).search);
    return Response.json({ data: requestLog.list(since === undefined ? undefined : new Date(since)) });
  });
  route("POST", "/api/_clock", async ({ req }) => {
    const move = await readJson(req.raw, clockSchema);
    if ("reset" in move) clock.reset();
    else clock.advance(move.advanceMs);
    return Response.json({ now: clock.now() });
  });
}

function done(): Response {
  return new Response(null, { status: 204 });
}

async function readJson<Schema extends z.ZodType>(request: Request, schema: Schema): Promise<z.infer<Schema>> {
  const bytes = await readBody(request, { maxBytes: MAX_BODY_BYTES, code: "body_too_large" });
  const parsed = schema.safeParse(parseJson(bytes));
  if (!parsed.success) throw new ProblemError("invalid_body", { errors: pointerErrors(parsed.error, "/body") });
  return parsed.data;
}

function parseJson(bytes: Uint8Array): unknown {
  if (bytes.byteLength === 0) return {};
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new ProblemError("malformed_body", { cause: error });
  }
}

/** Creates pages (`seed-1`, …) and posts (in the blog `seed`) to list. */
async function seedService({ account, contextOf }: Core, { pages, posts }: z.infer<typeof seedSchema>): Promise<void> {
  await inTransaction(contextOf(account.id), async (context) => {
    for (let number = 1; number <= pages; number++) {
      const change = { slug: `seed-${number}`, title: `Seed ${number}`, html: `<h1>Seed ${number}</h1>` };
      await putPage(context, change, {});
    }
    if (posts > 0) await createBlog(context, { name: "Seed", slug: "seed" });
    for (let number = 1; number <= posts; number++) {
      const post = { slug: `seed-${number}`, title: `Seed ${number}`, html: `<p>Seed ${number}</p>` };
      await createPost(context, "seed", post);
    }
  });
}
