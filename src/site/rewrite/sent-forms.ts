import type { Edit } from "../../html/edits.ts";
import { readSiteText } from "../read-file.ts";
import { passWarnings, type PageDraft } from "./page-draft.ts";
import type { Script } from "./scripts.ts";
import type { ScriptPlace } from "./script-routes.ts";
import { lineIn, resolveIn, type TextContext } from "./text-context.ts";

const PAGE = String.raw`(["'\`])(\/(?!\/)[^"'\`\s\\<>$?#]*)\1`;
const SENT = [
  // `fetch("/", { method: "POST", … })`
  String.raw`(?<=\bfetch\(\s*)${PAGE}(?=\s*,\s*\{(?:(?!\bfetch\()[^;]){0,400}?\bmethod["']?\s*:\s*["'\`]post["'\`])`,
  // `axios.post("/", …)`, `$.post("/", …)`
  String.raw`(?<=\.post\(\s*)${PAGE}(?=\s*[,)])`,
  // `request.open("POST", "/")`
  String.raw`(?<=\.open\(\s*["'\`]post["'\`]\s*,\s*)${PAGE}(?=\s*[,)])`,
].map((pattern) => new RegExp(pattern, "gi"));
const FORM = /<form\b[^>]*\s(?:method\s*=\s*["']?post\b|(?:data-)?netlify(?![\w-]|\s*=\s*["']?false))/i;

/** Where a script sends a form to a page of the site. */
export interface SentForm extends ScriptPlace {
  readonly address: string;
  /** Whether that page has a form itself, so that it receives submissions. */
  readonly isReceived: boolean;
}

/** As selectors; a form of another site receives its own submissions. */
const OWN_FORM = "form[method=post]:not([action^=http]),[netlify],[data-netlify]";

/**
 * Leads what a script sends to a page of the site, as for Netlify, to its own page if that has a form: published pages
 * receive their own forms.
 */
export function redirectSentForms(context: TextContext): {
  readonly sent: readonly SentForm[];
  readonly edits: readonly Edit[];
} {
  const { text, place, site } = context;
  const found = SENT.flatMap((pattern) =>
    Array.from(text.matchAll(pattern)).flatMap(({ index: start, 0: literal, 1: quote = "", 2: address = "" }) => {
      const target = resolveIn(context, address);
      if (target.kind !== "page") return [];
      const isReceived = FORM.test(readSiteText(site.root, target.page.file));
      const form = `document.querySelector(${quote}${OWN_FORM}${quote})`;
      const edit = { start, end: start + literal.length, text: `(${form}?location.pathname:${literal})` };
      return [{ edit, sent: { address, isReceived, file: place.file, line: lineIn(context, start) } }];
    }),
  );
  return { sent: found.map(({ sent }) => sent), edits: found.map(({ edit }) => edit) };
}

/** Reports submissions that no page receives. */
export function warnOfSentForms(draft: PageDraft, scripts: readonly Script[]): void {
  if (FORM.test(draft.html)) return;
  for (const { address, isReceived, file, line } of scripts.flatMap(({ sentForms }) => sentForms)) {
    if (isReceived) continue;
    const message = `A script sends a form to ${address}, and what visitors send is lost, because published pages receive only the forms in their own HTML. Put \`<form method="post">\` with the same fields into ${draft.page.file}.`;
    passWarnings(draft, [{ code: "sent-form", message, file, line }]);
  }
}
