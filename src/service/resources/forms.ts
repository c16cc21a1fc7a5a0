import { findForm, deleteUnusedForms, listPageForms, saveForm, type Form } from "../store/forms.ts";
import { findPage, type Page } from "../store/pages.ts";
import { publicPageUrl } from "./addresses.ts";
import type { Context } from "./context.ts";
import { findForms, type FormElement } from "./form-elements.ts";
import { ProblemError } from "./problem-error.ts";

/**
 * Brings the forms of a page in line with its HTML. One that the page holds no more is closed: it takes nothing any
 * more, and what was sent through it stays until somebody deletes it.
 */
export async function syncForms(context: Context, page: Page, html: string): Promise<void> {
  const { database, accountId, addresses } = context;
  const place = { slug: page.slug, url: publicPageUrl(addresses, page.slug) };
  const elements = page.status === "published" ? findForms(html, place) : [];
  const known = await listPageForms(database, { accountId, pageSlug: page.slug });
  for (const [position, element] of elements.entries()) {
    const existing = known.find(({ name }) => name === element.name);
    await saveForm(database, accountId, formOf(context, { page, position, element, existing }));
  }
  const names = new Set(elements.map(({ name }) => name));
  await close(
    context,
    known.filter(({ name }) => !names.has(name)),
  );
}

/** Closes all forms of a page that is there no more. */
export async function closeForms(context: Context, pageSlug: string): Promise<void> {
  await close(context, await listPageForms(context.database, { accountId: context.accountId, pageSlug }));
}

export async function getForm({ database, accountId }: Context, id: string): Promise<Form> {
  const form = await findForm(database, { accountId, id });
  if (form === undefined) throw new ProblemError("form_not_found");
  return form;
}

/** What a list of submissions is asked for: those of one form, or those of a page. */
export interface FormTarget {
  readonly pageSlug: string;
  readonly formId: string | undefined;
}

/**
 * Finds what an id of a form or the slug of a page names; of a page only the form with a name when one is given.
 * Throws `form_not_found` or `page_not_found`.
 */
export async function findFormTarget(context: Context, idOrSlug: string, name?: string): Promise<FormTarget> {
  const { database, accountId } = context;
  const form = await findForm(database, { accountId, id: idOrSlug });
  if (form !== undefined) {
    if (name !== undefined && name !== form.name) throw new ProblemError("form_not_found");
    return { pageSlug: form.pageSlug, formId: form.id };
  }
  const forms = await listPageForms(database, { accountId, pageSlug: idOrSlug });
  const isPage = forms.length > 0 || (await findPage(database, { accountId, slug: idOrSlug })) !== undefined;
  if (!isPage) throw new ProblemError(idOrSlug.startsWith("fm_") ? "form_not_found" : "page_not_found");
  if (name === undefined) return { pageSlug: idOrSlug, formId: undefined };
  const named = forms.find((candidate) => candidate.name === name);
  if (named === undefined) throw new ProblemError("form_not_found");
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
    isOpen: true,
    createdAt: existing?.createdAt ?? now,
  };
}

async function close({ database, accountId }: Context, forms: readonly Form[]): Promise<void> {
  for (const form of forms) {
    if (!form.isOpen) continue;
    await saveForm(database, accountId, { ...form, isOpen: false });
    await deleteUnusedForms(database, { accountId, pageSlug: form.pageSlug });
  }
}
