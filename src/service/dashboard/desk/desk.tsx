import type { Child } from "hono/jsx";
import { html as raw } from "hono/html";
import { mergeTexts } from "../../../base/text-changes.ts";
import { PROBLEMS } from "../../../contract/problems.ts";
import { ProblemError } from "../../http/problem.ts";
import { acceptsJson } from "../../http/messages.ts";
import { dropTexts, keepText, listKeptTexts } from "../../resources/editing.ts";
import { write, type DashboardContext } from "../context.ts";
import { FIXABLE, freshForm, refusedForm, type Fields, type FormState, type FormValues } from "../forms.ts";
import { FieldList, HiddenFields } from "../parts/fields.tsx";
import { Message, Time } from "../parts/lists.tsx";
import { renderPage, Section } from "../parts/page.tsx";
import type { Link } from "../paths.ts";
import { Comparison } from "./comparison.tsx";
import { KeptNotice } from "./kept-notice.tsx";
import { checkMerged, MergeNotice } from "./merging.tsx";

/** The edited text, wherever it is stored. */
export interface DeskSubject {
  /** Path of the page with the form; base path of its other requests. */
  readonly path: string;
  /** Path that the form is submitted to. */
  readonly action: string;
  /** Path of the earlier versions; absent if there are none. */
  readonly history?: string;
  /** Path to list and upload images; absent if none can be added. */
  readonly pictures?: string;
  /** Shown above the form: special properties of this text. */
  readonly note?: string | undefined;
  readonly title: string;
  readonly parent: Link;
  /** Shown next to the title. */
  readonly actions?: Child;
  /** Subject of the working copies. */
  readonly subject: string;
  /** Path of the page that offers unsent edits if the text was deleted; absent if there is none. */
  readonly newPath?: string;
  readonly fields: DeskFields;
  /** As saved, including the version. */
  readonly values: FormValues;
  readonly savedAt: Date | undefined;
  readonly button: string;
  /** Throws `version_mismatch` if the values are based on another version. */
  save(values: FormValues): Promise<Saved>;
  /** Renders the whole document as readers will see it. */
  render(values: FormValues): Promise<string>;
  readVersion(version: string): Promise<FormValues | undefined>;
}

export interface DeskFields {
  readonly title: Fields;
  readonly text: Fields;
  readonly settings: Fields;
}

export interface Saved {
  /** Path of the form, which may change with the first save. */
  readonly path: string;
  readonly action: string;
  readonly version: string;
  /** Subject of the working copies from now on, if the first save changed it. */
  readonly subject?: string;
  /** The page shown after submitting the form without a script. */
  readonly next: string;
  /** Who sees it now; absent for a project's file. */
  readonly shown?: Shown;
  /** Values that saving set, if the form submitted others. */
  readonly set?: FormValues;
}

/** Whether readers see a saved post: not, from a time on, or at an address. */
export type Shown =
  | { readonly kind: "draft" }
  | { readonly kind: "scheduled"; readonly from: Date }
  | { readonly kind: "public"; readonly url: string };

export function allFields({ title, text, settings }: DeskFields): Fields {
  return { ...title, ...text, ...settings };
}

/** Shows the form for a text, with unsaved edits if there are any. */
export async function showDesk(context: DashboardContext, subject: DeskSubject): Promise<Response> {
  const kept = await listKeptTexts(context.var.records, subject.subject);
  const wanted = context.req.query("copy");
  const copy = wanted === "" ? undefined : (kept.find(({ copyId }) => copyId === wanted) ?? kept[0]);
  const others = kept.filter((each) => each !== copy);
  const above = <KeptNotice path={subject.path} copy={copy} others={others} />;
  const written = copy && { ...copy.fields, version: copy.base, copy: copy.copyId };
  return renderDesk(context, subject, { form: freshForm({ ...subject.values, ...written }), above });
}

interface DeskView {
  readonly form: FormState;
  /** Shown above the form: differences or unsaved edits. */
  readonly above?: Child;
  readonly button?: string;
}

export function renderDesk(context: DashboardContext, subject: DeskSubject, view: DeskView): Response {
  const { path, action, actions, history, pictures, note, fields, title, parent } = subject;
  const { form, above, button = subject.button } = view;
  const { userId } = context.var.person;
  return renderPage(
    context,
    { title, parent, actions, form, isDesk: true },
    <>
      {note !== undefined && (
        <p class="warning">
          <Message text={note} />
        </p>
      )}
      {above}
      {/* Going back, browsers would fill it in with what it held before, as if that were the saved text. */}
      <form
        id="desk"
        method="post"
        autocomplete="off"
        action={action}
        data-path={path}
        data-pictures={pictures}
        data-max-bytes={context.var.records.limits.maxAssetBytes}
        data-subject={storedAs(context, subject.subject)}
        data-new={subject.newPath}
      >
        <div class="desk-bar">
          <p id="desk-status" role="status" class="soft"></p>
          <div class="actions">
            {history !== undefined && <a href={history}>Earlier versions</a>}
            {subject.savedAt !== undefined && (
              <button type="submit" class="quiet" formaction={`${path}/changes`} formnovalidate>
                Show changes
              </button>
            )}
            <button type="submit">{button}</button>
            {/* After the button for saving, which Enter in a field presses. */}
            {fields.settings["status"] !== undefined && (
              <button type="submit" name="publish" value="yes" class="quiet">
                Publish
              </button>
            )}
          </div>
        </div>
        <FieldList fields={fields.title} state={form} />
        <div class="desk-panes">
          <div class="desk-writing">
            <Tools hasPictures={pictures !== undefined} />
            <FieldList fields={fields.text} state={form} />
          </div>
          <div class="desk-preview">
            <p class="desk-label" aria-hidden="true">
              Preview
            </p>
            <iframe src={`${path}/live`} title="Preview" sandbox="allow-scripts" referrerpolicy="no-referrer"></iframe>
          </div>
        </div>
        {Object.keys(fields.settings).length > 0 && (
          <fieldset class="desk-settings">
            <legend>Settings</legend>
            <FieldList fields={fields.settings} state={form} />
          </fieldset>
        )}
        <HiddenFields values={{ version: form.values["version"], copy: form.values["copy"], writer: userId }} />
      </form>
    </>,
  );
}

const TOOLS = ["Heading", "Bold", "Italic", "Code", "List", "Numbered list", "Quote", "Link", "Picture"] as const;

/** Buttons above the text, activated by a script and hidden without one. */
function Tools({ hasPictures }: { readonly hasPictures: boolean }) {
  const tools = TOOLS.filter((name) => hasPictures || name !== "Picture");
  return (
    <div class="desk-tools" role="toolbar" aria-label="Formatting">
      {[...tools, "Plain text area"].map((name) => (
        <button type="button" class="quiet" data-tool={name}>
          {name}
        </button>
      ))}
    </div>
  );
}

/** Names a text in the browser's storage, which several users may share. */
function storedAs({ var: { person } }: DashboardContext, subject: string): string {
  return `${person.userId} ${subject}`;
}

/** Saves a text. If someone else saved it meanwhile, shows both versions first. */
export async function saveDesk(
  context: DashboardContext,
  values: FormValues,
  find: () => Promise<DeskSubject>,
): Promise<Response> {
  try {
    const subject = await find();
    checkMerged(subject.values, values);
    return await finish(context, { subject, values, saved: await subject.save(values) });
  } catch (error) {
    if (error instanceof ProblemError && PROBLEMS[error.code].status === 404 && acceptsJson(context.req.raw))
      return answerGone();
    if (!(error instanceof ProblemError) || !FIXABLE.has(PROBLEMS[error.code].status)) throw error;
    const fresh = await find();
    if (error.code === "version_mismatch") return await showConflict(context, fresh, values);
    const form = refusedForm(values, error);
    if (!acceptsJson(context.req.raw)) return renderDesk(context, fresh, { form });
    return Response.json({ kind: "refused", problem: form.problem, errors: form.errors }, { status: form.status });
  }
}

function answerGone(): Response {
  return Response.json({ kind: "gone" }, { status: 404 });
}

interface Finished {
  readonly subject: DeskSubject;
  readonly values: FormValues;
  readonly saved: Saved;
}

async function finish(context: DashboardContext, { subject, values, saved }: Finished): Promise<Response> {
  await write(context, (records) => dropTexts(records, subject.subject, copiesOf(values)));
  if (!acceptsJson(context.req.raw)) return context.redirect(saved.next, 303);
  const { next: _, subject: moved = subject.subject, ...answer } = saved;
  return Response.json({ kind: "saved", ...answer, subject: storedAs(context, moved) });
}

async function showConflict(context: DashboardContext, fresh: DeskSubject, values: FormValues): Promise<Response> {
  const { version = "" } = fresh.values;
  // The response to an identical save may have been lost.
  if (isSame(fresh, values)) {
    const saved = { path: fresh.path, action: fresh.action, version, next: fresh.parent.path };
    return await finish(context, { subject: fresh, values, saved });
  }
  const copy = await write(context, (records) => keepText(records, fresh.subject, values));
  const comparison = (
    <>
      <p>
        Someone saved this
        {fresh.savedAt === undefined ? " meanwhile" : [" at ", <Time at={fresh.savedAt} />]} while you were writing.
        Nothing is lost. Below, − marks the saved version and + marks yours.
      </p>
      <Comparison fields={allFields(fresh.fields)} before={fresh.values} after={values} />
    </>
  );
  if (acceptsJson(context.req.raw)) {
    const { merged, conflicts } = await merge(fresh, values);
    const answer = { kind: "conflict", version, html: String(raw`${comparison}`), theirs: fresh.values };
    return Response.json({ ...answer, merged, conflicts }, { status: 412 });
  }
  const form: FormState = {
    ...freshForm({ ...values, version, copy }),
    status: 412,
    problem:
      "Someone else changed this in the meantime. Your input is kept below; saving again replaces their changes.",
  };
  const above = (
    <Section id="other" title="The other version">
      {comparison}
      <p class="actions">
        <input type="hidden" form="desk" name="base" value={values["version"]} />
        <button type="submit" form="desk" class="quiet" formaction={`${fresh.path}/merge`} formnovalidate>
          Merge both
        </button>
        <button type="submit" form="desk" class="quiet" formaction={`${fresh.path}/discard`} formnovalidate>
          Discard mine
        </button>
      </p>
    </Section>
  );
  return renderDesk(context, fresh, { form, above, button: "Save and replace the other version" });
}

/** Shows both versions merged into one form, for browsers without scripts. */
export async function showMerged(
  context: DashboardContext,
  subject: DeskSubject,
  { base = "", copy = "", ...values }: FormValues,
): Promise<Response> {
  const { merged, conflicts } = await merge(subject, { ...values, version: base });
  return renderDesk(context, subject, {
    form: freshForm({ ...merged, copy }),
    above: <MergeNotice conflicts={conflicts} />,
  });
}

interface MergedValues {
  readonly merged: FormValues;
  readonly conflicts: number;
}

async function merge(fresh: DeskSubject, values: FormValues): Promise<MergedValues> {
  // If the base version is unknown, both texts are shown as changed completely.
  const base = (await fresh.readVersion(values["version"] ?? "")) ?? {};
  const { text = "", version = "" } = fresh.values;
  const text3 = mergeTexts({
    base: withLineFeeds(base["text"]),
    mine: values["text"] ?? "",
    theirs: withLineFeeds(text),
  });
  const others = Object.keys(allFields(fresh.fields)).map((name) => {
    const [mine, theirs] = [values[name] ?? "", fresh.values[name] ?? ""];
    return [name, mine === (base[name] ?? "") ? theirs : mine];
  });
  return { merged: { ...Object.fromEntries(others), text: text3.text, version }, conflicts: text3.conflicts };
}

/** Shows what will be saved, compared with the saved version. */
export async function showChanges(
  context: DashboardContext,
  subject: DeskSubject,
  values: FormValues,
): Promise<Response> {
  const comparison = <Comparison fields={allFields(subject.fields)} before={subject.values} after={values} />;
  if (acceptsJson(context.req.raw)) return Response.json({ html: String(raw`${comparison}`) });
  const above = (
    <Section id="changes" title="What will change">
      {comparison}
    </Section>
  );
  return renderDesk(context, subject, { form: freshForm(values), above });
}

/** Stores unsaved edits, or deletes them if nothing differs from the saved version. */
export async function autosave(context: DashboardContext, subject: DeskSubject, values: FormValues): Promise<Response> {
  await write(context, async (records) => {
    if (isSame(subject, values)) await dropTexts(records, subject.subject, copiesOf(values));
    else await keepText(records, subject.subject, values);
  });
  return new Response(null, { status: 204 });
}

export async function discard(context: DashboardContext, subject: DeskSubject, values: FormValues): Promise<Response> {
  await write(context, (records) => dropTexts(records, subject.subject, copiesOf(values)));
  return context.redirect(subject.path, 303);
}

/** Returns the ids of a form's copies: the last known one, and one that may have been stored without confirmation. */
function copiesOf({ copy = "", nextCopy = "" }: FormValues): readonly string[] {
  return [copy, nextCopy];
}

function isSame({ fields, values: saved }: DeskSubject, values: FormValues): boolean {
  return Object.keys(allFields(fields)).every(
    (name) => withLineFeeds(values[name] ?? saved[name]) === withLineFeeds(saved[name]),
  );
}

function withLineFeeds(text = ""): string {
  return text.replaceAll(/\r\n?/g, "\n");
}
