import { keepText } from "../../resources/editing.ts";
import { found } from "../../resources/fields.ts";
import { listVersions } from "../../store/editing.ts";
import { findRow } from "../../store/rows.ts";
import { paramOf, write, type DashboardApp, type DashboardContext } from "../context.ts";
import { readForm, type FormValues } from "../forms.ts";
import { Action } from "../parts/actions.tsx";
import { Table, Time } from "../parts/lists.tsx";
import { renderPage } from "../parts/page.tsx";
import { answerPreview } from "../parts/previews.tsx";
import { onlyForChange } from "../parts/resource-pages.tsx";
import { Comparison } from "./comparison.tsx";
import {
  allFields,
  autosave,
  discard,
  saveDesk,
  showChanges,
  showDesk,
  showMerged,
  type DeskSubject,
} from "./desk.tsx";
import { LIVE_PREVIEW } from "./live-preview.ts";

export interface DeskRoutes {
  /** Route of the page with the form, and base of its other requests. */
  readonly route: string;
  /** Route that the form is submitted to. */
  readonly action: string;
  /** Route of the earlier versions. */
  readonly history?: string;
  find(context: DashboardContext): Promise<DeskSubject>;
}

/** Registers all routes of a text's form. */
export function registerDesk(app: DashboardApp, { route, action, history, find }: DeskRoutes): void {
  app.get(route, onlyForChange, async (context) => showDesk(context, await find(context)));
  app.get(`${route}/live`, onlyForChange, async (context) => showLive(context, await find(context)));
  app.post(action, async (context) => {
    const { values } = await readForm(context);
    return await saveDesk(context, values, () => find(context));
  });
  const actions = { changes: showChanges, merge: showMerged, autosave, discard, render };
  for (const [name, act] of Object.entries(actions)) {
    app.post(`${route}/${name}`, async (context) => {
      const { values } = await readForm(context);
      return await act(context, await find(context), values);
    });
  }
  if (history === undefined) return;
  app.get(history, async (context) => showHistory(context, await find(context)));
  app.get(`${history}/:version`, async (context) => showVersion(context, await find(context)));
  app.post(`${history}/:version`, async (context) => restoreVersion(context, await find(context)));
}

async function showLive(context: DashboardContext, subject: DeskSubject): Promise<Response> {
  return answerPreview(await subject.render(subject.values), context.var.core.addresses.pagesUrl, LIVE_PREVIEW);
}

async function render(_: DashboardContext, subject: DeskSubject, values: FormValues): Promise<Response> {
  return Response.json({ html: await subject.render(values) });
}

const SHOWN_OF_VERSION = 8;

async function showHistory(context: DashboardContext, desk: DeskSubject): Promise<Response> {
  const { database, accountId } = context.var.records;
  const { history = "", parent, subject, savedAt } = desk;
  const versions = await listVersions(database, { accountId, subject });
  const ids = [...new Set(versions.flatMap(({ savedBy }) => savedBy ?? []))];
  const users = await Promise.all(ids.map((id) => findRow(database, "accountUser", { accountId, id })));
  const names = new Map(users.flatMap((user) => (user === undefined ? [] : [[user.id, user.name] as const])));
  return renderPage(
    context,
    { title: "Earlier versions", parent },
    versions.length === 0 ? (
      <div class="empty">
        <p>There are no earlier versions yet. Each save keeps the previous version here.</p>
      </div>
    ) : (
      <>
        <p>
          Saved last <Time at={savedAt ?? null} />. The last 50 versions before it are kept.
        </p>
        <Table
          caption="Earlier versions, newest first"
          rows={versions}
          columns={[
            ["Version", ({ version }) => <a href={`${history}/${version}`}>{version.slice(0, SHOWN_OF_VERSION)}</a>],
            ["Saved", ({ savedAt: at }) => at],
            ["By", ({ savedBy }) => (savedBy === null ? "a program" : (names.get(savedBy) ?? "a former user"))],
          ]}
        />
      </>
    ),
  );
}

/** Shows the changes since an earlier version. */
async function showVersion(context: DashboardContext, desk: DeskSubject): Promise<Response> {
  const version = paramOf(context, "version");
  const { history = "", fields, values, readVersion } = desk;
  const former = found(await readVersion(version), "post_not_found");
  return renderPage(
    context,
    {
      title: `Version ${version.slice(0, SHOWN_OF_VERSION)}`,
      parent: { title: "Earlier versions", path: history },
      actions: <Action to={`${history}/${version}`} label="Open in the editor" />,
    },
    <>
      <p>Changes from this version (−) to the saved one (+):</p>
      <Comparison fields={allFields(fields)} before={former} after={values} />
    </>,
  );
}

/** Opens an earlier version in the editor; nothing is lost until it is saved. */
async function restoreVersion(context: DashboardContext, desk: DeskSubject): Promise<Response> {
  const { path, subject, values, readVersion } = desk;
  const former = found(await readVersion(paramOf(context, "version")), "post_not_found");
  const { version = "" } = values;
  const copy = await write(context, (records) => keepText(records, subject, { ...former, version }));
  return context.redirect(`${path}?copy=${copy}&notice=version-restored`, 303);
}
