import { deleteUnusedForms, listPageForms, type Form, type FormField } from "../store/forms.ts";
import { findRow, saveRow } from "../store/rows.ts";
import { found } from "./fields.ts";
import { findPage, type Page } from "../store/pages.ts";
import { publicPageUrl } from "./addresses.ts";
import type { Context } from "./context.ts";
import { ProblemError } from "../http/problem.ts";
import { findAttribute } from "../../html/attributes.ts";
import { scanTags } from "../../html/quick/scan-tags.ts";
import type { HtmlElement } from "../../html/tree.ts";

/**
 * Updates the forms of a page from its HTML. A form that the page no longer contains is closed: it accepts no more
 * submissions, and its earlier ones stay until deleted.
 */
export async function syncForms(context: Context, page: Page, html: string): Promise<void> {
  const { database, accountId, addresses } = context;
  const place = { slug: page.slug, url: publicPageUrl(addresses, page.slug) };
  const elements = page.status === "published" ? findForms(html, place) : [];
  const known = await listPageForms(database, { accountId, pageSlug: page.slug });
  for (const [position, element] of elements.entries()) {
    const existing = known.find(({ name }) => name === element.name);
    const form = formOf(context, { page, position, element, existing });
    if (existing === undefined || !isSameForm(existing, form)) await saveRow(database, "form", { ...form, accountId });
  }
  const names = new Set(elements.map(({ name }) => name));
  await close(
    context,
    known.filter(({ name }) => !names.has(name)),
  );
}

export async function closeForms(context: Context, pageSlug: string): Promise<void> {
  await close(context, await listPageForms(context.database, { accountId: context.accountId, pageSlug }));
}

export async function getForm({ database, accountId }: Context, id: string): Promise<Form> {
  return found(await findRow(database, "form", { accountId, id }), "form_not_found");
}

/** Selects the submissions of one form or of a page. */
export interface FormTarget {
  readonly pageSlug: string;
  readonly formId: string | undefined;
}

/**
 * Finds a form by id, or a page by slug, optionally with the name of one of its forms. Throws `form_not_found` or
 * `page_not_found`.
 */
export async function findFormTarget(context: Context, idOrSlug: string, name?: string): Promise<FormTarget> {
  const { database, accountId } = context;
  const form = await findRow(database, "form", { accountId, id: idOrSlug });
  if (form !== undefined) {
    if (name !== undefined && name !== form.name) throw new ProblemError("form_not_found");
    return { pageSlug: form.pageSlug, formId: form.id };
  }
  const forms = await listPageForms(database, { accountId, pageSlug: idOrSlug });
  const isPage = forms.length > 0 || (await findPage(database, { accountId, slug: idOrSlug })) !== undefined;
  if (!isPage) throw new ProblemError(idOrSlug.startsWith("fm_") ? "form_not_found" : "page_not_found");
  if (name === undefined) return { pageSlug: idOrSlug, formId: undefined };
  const named = found(
    forms.find((candidate) => candidate.name === name),
    "form_not_found",
  );
  return { pageSlug: idOrSlug, formId: named.id };
}

interface FormSource {
  readonly page: Page;
  readonly position: number;
  readonly element: FormElement;
  readonly existing: Form | undefined;
}

function formOf({ newId, now }: Context, { page, position, element, existing }: FormSource): Form {
  return {
    id: existing?.id ?? newId("fm"),
    pageId: page.id,
    pageSlug: page.slug,
    actionSlug: element.actionSlug,
    name: element.name,
    position,
    fields: element.fields,
    honeypot: element.honeypot ?? null,
    open: true,
    createdAt: existing?.createdAt ?? now,
  };
}

function isSameForm(left: Form, right: Form): boolean {
  const fields = ["pageId", "actionSlug", "position", "honeypot", "open"] as const;
  return (
    fields.every((field) => left[field] === right[field]) &&
    JSON.stringify(left.fields) === JSON.stringify(right.fields)
  );
}

async function close({ database, accountId }: Context, forms: readonly Form[]): Promise<void> {
  for (const form of forms) {
    if (!form.open) continue;
    await saveRow(database, "form", { ...form, accountId, open: false });
    await deleteUnusedForms(database, { accountId, pageSlug: form.pageSlug });
  }
}

export interface FormElement {
  /** Its `name`, `id` or `form-<n>`, in this order; unique on the page. */
  readonly name: string;
  readonly fields: readonly FormField[];
  /** Slug of the page that it submits to. */
  readonly actionSlug: string;
  /** The field that only programs fill in. */
  readonly honeypot: string | undefined;
}

export interface FormPlace {
  readonly slug: string;
  /** Published URL of the page, the base of `action`. */
  readonly url: string;
}

const MAX_FORMS = 50;
const MAX_FIELDS = 100;
const MAX_NAME_LENGTH = 200;
const CONTROLS = new Set(["input", "select", "textarea"]);
// Inputs that browsers never send as text, or only if their button was pressed.
const UNSENT_TYPES = new Set(["submit", "image", "reset", "button", "file"]);

/**
 * Finds the forms of a page that submit to the service: those with `method="post"` and no `action`, or an `action` that
 * points to the page itself. A form with `netlify` or `data-netlify` needs no method, and may point to another page,
 * which is shown after submission. Forms in a `<template>` are included, as a script may insert them.
 */
export function findForms(html: string, place: FormPlace): readonly FormElement[] {
  if (!mayHoldForms(html)) return [];
  const { forms, controls, base } = collect(html);
  const owned = groupByForm(forms, controls);
  const names = new Set<string>();
  return forms.slice(0, MAX_FORMS).flatMap((form, index) => {
    const actionSlug = actionSlugOf(form, { ...place, base });
    if (actionSlug === undefined) return [];
    const own = owned.get(form) ?? [];
    const name = uniqueName(nameOf(form, own) ?? `form-${index + 1}`, names);
    names.add(name);
    const honeypot = honeypotOf(form);
    return [{ name, actionSlug, honeypot, fields: fieldsOf(own, honeypot) }];
  });
}

/** Whether a page must be parsed to find its forms: most have none, and parsing costs more than storing them. */
export function mayHoldForms(html: string): boolean {
  return /<form[\s>/]/i.test(html);
}

/** Whether a field controls how a submission is handled instead of being part of it. */
export function isControlField(name: string): boolean {
  return CONTROL_FIELDS.has(name);
}

/** A hidden field that says which form was sent. */
export const FORM_NAME = "form-name";
const CONTROL_FIELDS = new Set([FORM_NAME, "_next", "_gotcha"]);

/** A start tag, for `findAttribute`. */
type Element = Pick<HtmlElement, "tagName" | "attrs">;

interface Collected {
  readonly forms: readonly Element[];
  readonly controls: readonly Control[];
  /** The `href` of the `<base>` element. */
  readonly base: string | undefined;
}

interface Control {
  readonly element: Element;
  /** The enclosing form. */
  readonly around: Element | undefined;
}

function collect(html: string): Collected {
  const forms: Element[] = [];
  const controls: Control[] = [];
  const nesting = createNesting();
  let base: string | undefined;
  for (const scanned of scanTags(html)) {
    if (scanned.kind === "end") {
      nesting.close(scanned.name);
      continue;
    }
    const { name: tagName, attrs, isSelfClosing } = scanned.tag;
    const element = { tagName, attrs };
    if (CONTROLS.has(tagName)) controls.push({ element, around: nesting.form() });
    else if (tagName === "base") base ??= findAttribute(element, "href");
    else if (tagName === "form" && nesting.open(element)) forms.push(element);
    else if (tagName !== "form" && !isSelfClosing) nesting.enter(tagName);
  }
  return { forms, controls, base };
}

// A page may nest deeper than anyone would write by hand; the elements nearby suffice to find a control's form.
const MAX_DEPTH = 200;
const VOID = new Set("area br col embed hr img link meta param source track wbr".split(" "));

/**
 * Tracks the form of each control, tag by tag: the open form, or one whose end tag is inside an element that continues
 * after it, as in `<form><div></form><input></div>`.
 */
function createNesting() {
  let form: Element | undefined;
  let isClosed = false;
  /** Open elements inside the form. */
  let inside: string[] = [];
  /** The state outside each open template. */
  const outer: { readonly form: Element | undefined; readonly isClosed: boolean; readonly inside: string[] }[] = [];

  return {
    form: () => form,
    /** Whether a form may start here: not inside another one. */
    open(element: Element): boolean {
      if (form !== undefined && !isClosed) return false;
      [form, isClosed, inside] = [element, false, []];
      return true;
    },
    enter(name: string): void {
      if (name === "template" && outer.length < MAX_DEPTH) {
        outer.push({ form, isClosed, inside });
        [form, isClosed, inside] = [undefined, false, []];
      } else if (form !== undefined && inside.length < MAX_DEPTH && !VOID.has(name)) {
        inside.push(name);
      }
    },
    close(name: string): void {
      if (name === "template") {
        const around = outer.pop();
        if (around !== undefined) ({ form, isClosed, inside } = around);
      } else if (name === "form") {
        isClosed = true;
        // Their end tags are optional.
        inside = inside.filter((open) => !IMPLIED_ENDS.has(open));
      } else {
        const place = inside.lastIndexOf(name);
        if (place !== -1) inside = inside.slice(0, place);
      }
      if (isClosed && inside.length === 0) form = undefined;
    },
  };
}

const IMPLIED_ENDS = new Set("dd dt li optgroup option p rb rp rt rtc".split(" "));

function groupByForm(
  forms: readonly Element[],
  controls: readonly Control[],
): ReadonlyMap<Element, readonly Element[]> {
  const byId = new Map(forms.toReversed().map((form) => [findAttribute(form, "id"), form]));
  const groups = new Map<Element, Element[]>(forms.map((form) => [form, []]));
  for (const { element, around } of controls) {
    const owner = findAttribute(element, "form");
    const form = owner === undefined ? around : byId.get(owner);
    if (form !== undefined) groups.get(form)?.push(element);
  }
  return groups;
}

function actionSlugOf(form: Element, { slug, url, base }: FormPlace & { readonly base: string | undefined }) {
  const method = findAttribute(form, "method")?.trim().toLowerCase();
  // Scripts send forms of Netlify, also without a method.
  if (method !== "post" && !(method === undefined && isNetlifyForm(form))) return undefined;
  const action = findAttribute(form, "action")?.trim() ?? "";
  // Without an action, a form submits to the document's URL, regardless of `<base>`.
  if (action === "") return slug;
  const target = URL.parse(action, URL.parse(base ?? "", url)?.href ?? url);
  if (target === null || target.origin !== new URL(url).origin) return undefined;
  const named = /^\/p\/([^/]+)\/?$/.exec(target.pathname)?.[1];
  return named === slug || isNetlifyForm(form) ? named : undefined;
}

function isNetlifyForm(form: Element): boolean {
  const value = findAttribute(form, "netlify") ?? findAttribute(form, "data-netlify");
  return value !== undefined && value !== "false";
}

/** The name that a form's hidden field sends, or that its element has. */
function nameOf(form: Element, controls: readonly Element[]): string | undefined {
  const hidden = controls.find((control) => findAttribute(control, "name") === FORM_NAME);
  const names = [hidden && findAttribute(hidden, "value"), findAttribute(form, "name"), findAttribute(form, "id")];
  const found = names.map((name) => name?.trim() ?? "").find((name) => name !== "");
  return found?.slice(0, MAX_NAME_LENGTH);
}

function uniqueName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 2, candidate = name; ; number++) {
    if (!taken.has(candidate)) return candidate;
    candidate = `${name}-${number}`;
  }
}

function honeypotOf(form: Element): string | undefined {
  const named = findAttribute(form, "netlify-honeypot") ?? findAttribute(form, "data-netlify-honeypot");
  const name = named ?? findAttribute(form, "data-honeypot");
  return name === undefined || name.trim() === "" ? undefined : name.trim();
}

function fieldsOf(controls: readonly Element[], honeypot: string | undefined): readonly FormField[] {
  const fields = new Map<string, FormField>();
  for (const control of controls) {
    const name = findAttribute(control, "name") ?? "";
    const type = typeOf(control);
    const isSent = name !== "" && name.length <= MAX_NAME_LENGTH && !UNSENT_TYPES.has(type);
    if (!isSent || isControlField(name) || name === honeypot) continue;
    const known = fields.get(name);
    const required = findAttribute(control, "required") !== undefined || known?.required === true;
    fields.set(name, { name, type: known?.type ?? type, required });
  }
  return [...fields.values()].slice(0, MAX_FIELDS);
}

function typeOf(control: Element): string {
  if (control.tagName !== "input") return control.tagName;
  const type = findAttribute(control, "type")?.trim().toLowerCase() ?? "";
  return /^[a-z-]{1,30}$/.test(type) ? type : "text";
}
