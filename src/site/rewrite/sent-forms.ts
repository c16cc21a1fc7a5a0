import type { Edit } from "../../html/edits.ts";
import type { SiteWarning } from "../model.ts";
import { readSiteText } from "../read-file.ts";
import { skipBrackets } from "./joined-strings.ts";
import { passWarnings, type PageDraft } from "./page-draft.ts";
import { usesPagefind } from "./pagefind.ts";
import type { Script } from "./scripts.ts";
import type { ScriptPlace } from "./script-routes.ts";
import { lineIn, resolveIn, warningAt, type TextContext } from "./text-context.ts";

// `fetch(`, `navigator.sendBeacon(`, `axios.post(`, `request.open("POST",`, `new EventSource(`; then an address: a
// string, the beginning of one, or the name of a constant. Another read is the page's own address.
const REQUEST = new RegExp(
  [
    String.raw`(?<call>\bfetch\(|\bnew\s+(?:(?:window|self|globalThis)\.)?(?:EventSource|WebSocket)\(|\.sendBeacon\(|\.(?:post|put|patch)\(|\b(?:axios|ky)(?:\.(?:get|delete))?\(|\.open\(\s*(?<method>["'\`](?:get|post|put|patch|delete)["'\`])\s*,)\s*`,
    String.raw`(?<address>(?:(?<quote>["'\`])|(?:\`[^\`\n]{0,80}?\$\{)?(?:\w+\.)?location\.(?:host|origin)(?:\}|\s*\+\s*["'\`]))`,
    String.raw`(?<path>\/(?!\/)[^"'\`\s\\<>$]*)(?:["'\`]|(?=\$\{))|(?<name>[\w$]{3,})`,
    String.raw`|(?<own>(?:\w+\.)?location(?:\.pathname|\.href)?|[\w$.]+\.action|[\w$.]+\.getAttribute\(\s*["'\`]action["'\`]\s*\)))`,
    String.raw`(?=\s*(?<end>[,)+]|\$\{))`,
  ].join(""),
  "gi",
);
const SENDS = /^\.(?:sendBeacon|post|put|patch)\(/i;
const POST = /\bmethod["']?\s*:\s*["'`](?:post|put|patch)["'`]/i;
const JSON_BODY = /\bbody["']?\s*:\s*JSON\.stringify\(|content-type["'`]?\s*[:,]\s*["'`]application\/json/i;

const FORM =
  /<form\b(?![^>]*\saction\s*=\s*["']?https?:)[^>]*\s(?:method\s*=\s*["']?post\b|(?:data-)?netlify(?![\w-]|\s*=\s*["']?false))/i;
// A form that a script sends, and whose address isn't reported with the form itself.
const PLAIN_FORM = /<form\b(?![^>]*\saction\s*=\s*["']?[^"'>\s])/i;

/** Where a script sends a form to a page of the site. */
export interface SentForm extends ScriptPlace {
  /** As written; `undefined`: its own page. */
  readonly address: string | undefined;
  /** Whether that page has a form itself, so that it receives submissions. */
  readonly isReceived: boolean;
  readonly isJson: boolean;
}

/** A form as selectors; one of another site receives its own submissions. */
const OWN_FORM = "form[method=post]:not([action^=http]),[netlify],[data-netlify]";

interface Request {
  readonly start: number;
  readonly end: number;
  readonly written: string;
  /** `undefined`: with the script's own origin before the path. */
  readonly quote: string | undefined;
  /** Path from the root; `undefined`: that of the script's own page. */
  readonly path: string | undefined;
  readonly isWhole: boolean;
  readonly sends: boolean;
  readonly isJson: boolean;
}

/**
 * Leads what a script sends to a page of the site, as for Netlify, to its own page if that has a form: published pages
 * receive their own forms.
 */
export function redirectSentForms(context: TextContext): {
  readonly sent: readonly SentForm[];
  readonly edits: readonly Edit[];
} {
  const { place, site } = context;
  const sent: SentForm[] = [];
  const edits: Edit[] = [];
  for (const { start, end, written, quote, path, isWhole, sends, isJson } of findRequests(context.text)) {
    if (!sends || !isWhole) continue;
    const at = { isJson, file: place.file, line: lineIn(context, start) };
    const target = path === undefined ? undefined : resolveIn(context, path);
    if (target === undefined) sent.push({ ...at, address: undefined, isReceived: false });
    if (target?.kind !== "page" || path === undefined || quote === undefined) continue;
    const isReceived = FORM.test(readSiteText(site.root, target.page.file));
    const form = `document.querySelector(${quote}${OWN_FORM}${quote})`;
    edits.push({ start, end, text: `(${form}?location.pathname:${written})` });
    sent.push({ ...at, address: path, isReceived });
  }
  return { sent, edits };
}

function findRequests(text: string): readonly Request[] {
  return Array.from(text.matchAll(REQUEST)).flatMap(({ index, 0: all, groups = {} }): readonly Request[] => {
    const { call = "", method, address: written = "", quote, path, name, own, end: after } = groups;
    const named = name === undefined ? undefined : findConstant(text, name);
    if (own === undefined && path === undefined && named === undefined) return [];
    const start = index + all.length - written.length;
    const open = index + call.indexOf("(");
    const [rest = ""] = text.slice(start + written.length, skipBrackets(text, open) ?? start + 400).split(/\bfetch\(/);
    return [
      {
        start,
        end: start + written.length,
        written,
        quote: quote ?? named?.quote,
        path: path ?? named?.path,
        isWhole: after === "," || after === ")",
        sends: SENDS.test(call) || POST.test(rest) || (method !== undefined && !/get/i.test(method)),
        isJson: JSON_BODY.test(rest),
      },
    ];
  });
}

function findConstant(text: string, name: string): { readonly quote: string; readonly path: string } | undefined {
  const pattern = String.raw`(?<![\w$.])${name.replaceAll("$", String.raw`\$`)}\s*=\s*(["'\`])(\/(?!\/)[^"'\`\s\\<>$]*)\1`;
  const [, quote, path] = new RegExp(pattern).exec(text) ?? [];
  return quote === undefined || path === undefined ? undefined : { quote, path };
}

// Reported where they are found, or replaced.
const SERVED_BY_ASTRO = /\/_(?:actions|server-islands|image)\b/;

/** Reports requests for addresses that only a server of the site could answer. */
export function warnOfEndpoints(context: TextContext): readonly SiteWarning[] {
  const { site, settings } = context;
  return findRequests(context.text).flatMap(({ start, path, isWhole, sends }): readonly SiteWarning[] => {
    if (path === undefined || SERVED_BY_ASTRO.test(path) || usesPagefind(path)) return [];
    const target = resolveIn(context, path);
    if (target.kind !== "missing" || settings.heldFiles?.some((file) => path === site.base + file)) return [];
    if (!isWhole && (path === "/" || hasBelow(path, context))) return [];
    const address = isWhole ? path : `${path}…`;
    const lost = sends ? ", so what visitors send is lost" : "";
    const advice = sends ? ', or send the form to its own page with `<form method="post">`' : "";
    const message = `A script ${sends ? "sends data to" : "requests"} ${address}, which the built site doesn't have${lost}. Use the full address of a server that has it${advice}.`;
    return [warningAt(start, context, { code: "missing-endpoint", message })];
  });
}

function hasBelow(path: string, { site, settings }: TextContext): boolean {
  const below = path.startsWith(site.base) ? path.slice(site.base.length) : path.slice(1);
  if (below === "") return true;
  const isBelow = (each: string): boolean => each.startsWith(below);
  return [...settings.slugs.keys()].some((route) => isBelow(route.slice(1))) || [...site.files.keys()].some(isBelow);
}

/** Reports submissions that no page receives. */
export function warnOfSentForms(draft: PageDraft, scripts: readonly Script[]): void {
  const hasForm = FORM.test(draft.html);
  const hasPlainForm = PLAIN_FORM.test(draft.html);
  for (const { address, isReceived, isJson, file, line } of scripts.flatMap(({ sentForms }) => sentForms)) {
    const isLost = !hasForm && !isReceived;
    if ((!isLost && !isJson) || (address === undefined && !hasPlainForm)) continue;
    const to = address ?? "its own page";
    const message = isLost
      ? `A script sends a form to ${to}, and what visitors send is lost, because published pages receive only the forms in their own HTML. Put \`<form method="post">\` with the same fields into ${draft.page.file}.`
      : `A script sends JSON to ${to}, and what visitors send is lost, because published pages receive only forms. Send \`new FormData(form)\`.`;
    passWarnings(draft, [{ code: "sent-form", message, file, line }]);
  }
}
