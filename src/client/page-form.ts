import { PAGE_BODIES, type PageBody } from "../contract/dialect.ts";
import type { PageInput } from "./api.ts";
import { explainDemands } from "./demanded-fields.ts";
import {
  createWriter,
  mentions,
  type Refusal,
  speaksOfBody,
  speaksOfDuplicate,
  speaksOfUnknown,
  type Step,
  verdictOn,
  type Writer,
} from "./learner.ts";
import type { Session } from "./session.ts";
import { encodeBody, encodeMultipart, jsonBody, type EncodedBody } from "./transport/body.ts";

export interface PageWriterOptions {
  /** The request to write: `PUT /api/pages/:slug` names the page in its path, `POST /api/pages` in its body. */
  readonly request: "put" | "post";
  /** The form to try first if nothing is known. */
  readonly usual: PageBody;
}

/** Writes pages in the form that the host accepts. */
export function createPageWriter(session: Session, options: PageWriterOptions): Writer<PageInput> {
  const { request, usual } = options;
  const given = session.dialect();
  const bodyKey = request === "put" ? "pageBody" : "newPageBody";
  const writer = createWriter<Shape, PageInput>({
    encode: (shape, page) => encode(page, { shape, request }),
    usual: { body: usual, fields: "all" },
    known: { body: given[bodyKey], fields: given.pageFields },
    featuresOf: ({ body, fields }, page) => [`body ${body}`, ...Object.keys(fieldsOf(page, { fields, request }))],
    nextForm: (step) =>
      nextShape(step, { request, areFieldsKnown: given.pageFields !== undefined, body: given[bodyKey] }),
    hidesFailures: request === "put",
    leavesOut: ({ body, fields }, start) =>
      body === start.body && FIELDS.indexOf(fields) > FIELDS.indexOf(start.fields),
    keep(shape, { isNew, isDoubtful }) {
      if (isDoubtful) return;
      const { pageFields } = session.dialect();
      // Fields that were once rejected stay omitted, whichever request it was.
      const fields = pageFields === undefined || isNew ? shape.fields : pageFields;
      session.learn(
        { [bodyKey]: shape.body, pageFields: fields },
        isNew ? describeForm(shape, session.baseUrl) : undefined,
      );
    },
  });
  return explainDemands(writer, () => ({ label: "page", fields: PAGE_FIELDS }));
}

const PAGE_FIELDS = ["html", "title", "slug", "description", "siteId", "version"];

type Fields = "all" | "title" | "html";

interface Shape {
  readonly body: PageBody;
  readonly fields: Fields;
}

type Texts = Readonly<Record<string, string>>;

function fieldsOf(
  page: PageInput,
  { fields, request }: { readonly fields: Fields; readonly request: "put" | "post" },
): Texts {
  const { html, title, slug, siteId, description } = page;
  // The specification shows title and slug beside the HTML of a new page.
  const shown = request === "post" ? { html, title, slug } : fields === "html" ? { html } : { html, title };
  const more = fields === "all" ? { description, siteId } : {};
  return Object.fromEntries(
    Object.entries({ ...shown, ...more }).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
  );
}

function encode(
  page: PageInput,
  { shape, request }: { readonly shape: Shape; readonly request: "put" | "post" },
): EncodedBody {
  const { version } = page;
  const sent = fieldsOf(page, { fields: shape.fields, request });
  if (shape.body === "json") return jsonBody(version === undefined ? sent : { ...sent, version });
  const texts = version === undefined ? sent : { ...sent, version: String(version) };
  if (shape.body === "form") {
    return encodeBody("application/x-www-form-urlencoded", [Buffer.from(new URLSearchParams(texts).toString())]);
  }
  return encodeMultipart(
    Object.entries(texts).map(([name, text]) =>
      name === "html" && shape.body === "multipart"
        ? { kind: "file", name, fileName: `${page.slug}.html`, contentType: "text/html", bytes: Buffer.from(text) }
        : { kind: "field", name, text },
    ),
  );
}

const FIELDS = ["all", "title", "html"] as const;

interface KnownForm extends Pick<PageWriterOptions, "request"> {
  /** The body that the host accepted in an earlier run, or that the user configured. */
  readonly body: PageBody | undefined;
  readonly areFieldsKnown: boolean;
}

function nextShape(step: Step<Shape, PageInput>, known: KnownForm): Shape | undefined {
  const { form, start, content, refusal, accepted, isTried } = step;
  const { request } = known;
  if (refusal.status === 413 || speaksOfDuplicate(refusal) || verdictOn("version", refusal) === "missing")
    return undefined;
  const bodies = accepted.has(`body ${form.body}`) ? [] : PAGE_BODIES.filter((body) => body !== form.body);
  const otherBodies = [...bodies.filter((body) => isAskedFor(body, refusal)), ...bodies].map((body) => ({
    body,
    fields: start.fields,
  }));
  const fewer = FIELDS.slice(FIELDS.indexOf(form.fields) + 1).map((fields) => ({ ...form, fields }));
  // In the order in which they add one field more.
  const more = FIELDS.slice(0, FIELDS.indexOf(form.fields))
    .toReversed()
    .map((fields) => ({ ...form, fields }));
  const sent = Object.keys(fieldsOf(content, { fields: form.fields, request }));
  const isKnownBody = form.body === known.body || accepted.has(`body ${form.body}`);
  const isKnown = isKnownBody && (known.areFieldsKnown || sent.every((field) => accepted.has(field)));
  const valueOf = (field: string): unknown => Reflect.get(content, field);
  const choices = choose(refusal, { sent, valueOf, isKnown, otherBodies, fewer, more });
  return choices.find((shape) => !isTried(shape));
}

interface Choices {
  readonly sent: readonly string[];
  readonly valueOf: (field: string) => unknown;
  /** Whether the host accepted pages in this form before. */
  readonly isKnown: boolean;
  readonly otherBodies: readonly Shape[];
  readonly fewer: readonly Shape[];
  readonly more: readonly Shape[];
}

function choose(refusal: Refusal, { sent, valueOf, isKnown, otherBodies, fewer, more }: Choices): readonly Shape[] {
  if (refusal.status === 415) return otherBodies;
  const verdicts = sent.map((field) => ({
    field,
    verdict: verdictOn(field, refusal, { value: valueOf(field), isKnown }),
  }));
  const unknown = verdicts.filter(({ verdict }) => verdict === "unknown").map(({ field }) => field);
  if (unknown.some((field) => field !== "html" && field !== "slug")) {
    const fits = (shape: Shape) => shape.fields === "html" || !unknown.includes("title");
    return fewer.filter(fits);
  }
  // A later version of the service may require what an earlier one refused.
  const isWanted = (field: string) => !sent.includes(field) && verdictOn(field, refusal) === "missing";
  if (["title", "description", "siteId"].some(isWanted)) return more;
  // A service that misses what was sent didn't understand the body.
  if (verdicts.some(({ verdict }) => verdict === "missing") || unknown.length > 0) return otherBodies;
  if (verdicts.some(({ verdict }) => verdict === "other")) return [];
  if (isKnown) return speaksOfBody(refusal) ? otherBodies : [];
  if (speaksOfBody(refusal)) return [...otherBodies, ...fewer];
  if (speaksOfUnknown(refusal)) return [...fewer, ...otherBodies];
  // Nothing fixable is named, and a title or description that is too long isn't the form's fault.
  if (refusal.text !== "" && sent.some((field) => mentions(field, refusal))) return [];
  const least = fewer.at(-1);
  const bare = least === undefined ? [] : otherBodies.map((shape) => ({ ...shape, fields: least.fields }));
  return [...fewer, ...otherBodies, ...bare];
}

const WORDS: Readonly<Record<PageBody, RegExp>> = {
  json: /\bjson\b/i,
  multipart: /multipart|form-data|\bfile\b|upload/i,
  "multipart-text": /multipart|form-data|text field/i,
  form: /urlencoded|\bform\b(?!-data)/i,
};

function isAskedFor(body: PageBody, { text, fields }: Refusal): boolean {
  return [text, ...fields.map(({ detail }) => detail)].some((words) => WORDS[body].test(words));
}

function describeForm({ body, fields }: Shape, baseUrl: string): string {
  const taken = { all: "", title: ", without site and description", html: ", with only the HTML" }[fields];
  const sent = { json: "JSON", form: "a form", multipart: "a multipart form", "multipart-text": "multipart fields" }[
    body
  ];
  return `${baseUrl} accepts a page as ${sent}${taken}. imprint uses that from now on.`;
}
