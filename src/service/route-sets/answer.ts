import * as z from "zod";
import type { Answer, Route } from "../../contract/route.ts";
import { listOf, many } from "../../contract/answers.ts";
import type { HttpRequest } from "../http/request.ts";
import type { KeptAnswer } from "./idempotency.ts";
import type { Reply } from "./reply.ts";

export interface AnswerOptions {
  readonly route: Route;
  /** Base address of the route set, which relative locations and links are put behind. */
  readonly baseUrl: string;
  readonly strict: boolean;
  /** Parse what is answered with the schema of the contract, and fail where they differ. */
  readonly checked: boolean;
  /** For the link to the next part of a list. */
  readonly request: Pick<HttpRequest, "path" | "query">;
}

type Fields = Readonly<Record<string, unknown>>;
type JsonReply = Extract<Reply, { readonly kind: "record" | "list" | "json" | "empty" }>;

const JSON_HEADERS = { "Content-Type": "application/json", "Cache-Control": "private, no-cache" } as const;

/** Gives a reply the form in which this route set sends it. */
export function formAnswer(reply: JsonReply, options: AnswerOptions): KeptAnswer {
  if (reply.kind === "empty") return { status: reply.status, headers: {}, body: "" };
  if (reply.kind === "json") {
    if (options.checked) checkAnswer(reply.body, { reply, ...options });
    return { status: reply.status, headers: JSON_HEADERS, body: JSON.stringify(reply.body) };
  }
  const answer = options.route.answers[reply.status];
  const body =
    reply.kind === "list" ? formList(reply, { answer, ...options }) : formRecord(reply, { answer, ...options });
  if (options.checked) checkAnswer(body, { reply, ...options });
  return { status: reply.status, headers: headersOf(reply, options), body: JSON.stringify(body) };
}

interface FormOptions extends AnswerOptions {
  readonly answer: Answer | undefined;
}

function formRecord(reply: Extract<Reply, { kind: "record" }>, { answer, strict }: FormOptions): Fields {
  if (!strict) return { ...reply.record, ...reply.shownOnce };
  return pick(reply.record, reply.only ?? minimumFields(answer) ?? Object.keys(reply.record));
}

function formList(reply: Extract<Reply, { kind: "list" }>, { answer, strict }: FormOptions): Fields {
  const minimum = strict ? minimumFields(reply.record === undefined ? answer : many(reply.record)) : undefined;
  const fields = reply.fields?.filter((field) => minimum?.includes(field) ?? true) ?? minimum;
  const data = fields === undefined ? reply.items : reply.items.map((item) => pick(item, fields));
  return reply.nextCursor === undefined ? { data } : { data, nextCursor: reply.nextCursor };
}

function minimumFields(answer: Answer | undefined): readonly string[] | undefined {
  return answer?.kind === "record" || answer?.kind === "list" ? Object.keys(answer.record.minimum.shape) : undefined;
}

function pick(record: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.filter((name) => name in record).map((name) => [name, record[name]]));
}

function headersOf(reply: Exclude<JsonReply, { kind: "empty" }>, options: AnswerOptions): Record<string, string> {
  const headers: Record<string, string> = { ...JSON_HEADERS };
  if (reply.kind === "record" && reply.etag !== undefined) headers["ETag"] = reply.etag;
  if (reply.kind === "record" && reply.location !== undefined) {
    headers["Location"] = reply.location.startsWith("/") ? `${options.baseUrl}${reply.location}` : reply.location;
  }
  if (reply.kind === "list" && typeof reply.nextCursor === "string") {
    headers["Link"] = `<${nextUrl(options, reply.nextCursor)}>; rel="next"`;
  }
  return headers;
}

function nextUrl({ baseUrl, route, request }: AnswerOptions, cursor: string): string {
  const parameters = new URLSearchParams(request.query);
  parameters.set("cursor", cursor);
  // The path is taken from where the route set's part begins, since a proxy may have put something before it.
  const path = request.path.slice(request.path.indexOf(route.path.split("/:", 1)[0] ?? ""));
  return `${baseUrl}${path}?${parameters.toString()}`;
}

/** Throws when an answer is not what the contract says: a mistake of the service that its tests have to find. */
function checkAnswer(body: Fields, { route, reply, strict }: AnswerOptions & { readonly reply: JsonReply }): void {
  const answer = route.answers[reply.status];
  const schema = answer === undefined ? undefined : schemaOf(answer, { reply, strict });
  if (schema === undefined) throw new Error(`${route.operation} must not answer ${reply.status} with a body.`);
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new Error(`${route.operation} answered against its contract: ${parsed.error.message}`);
}

function schemaOf(
  answer: Answer,
  { reply, strict }: { readonly reply: JsonReply; readonly strict: boolean },
): z.ZodType | undefined {
  if (answer.kind === "json") return answer.schema;
  if (answer.kind !== "record" && answer.kind !== "list") return undefined;
  const record = z.strictObject((strict ? answer.record.minimum : answer.record.full).shape);
  if (answer.kind === "record")
    return reply.kind === "record" && strict && reply.only !== undefined ? record.partial() : record;
  const item = reply.kind === "list" && reply.fields !== undefined ? record.partial() : record;
  return reply.kind === "list" && reply.nextCursor === undefined
    ? z.strictObject({ data: z.array(item) })
    : listOf(item);
}
