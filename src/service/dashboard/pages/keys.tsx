import { keyCreateBody, type KeyCreateBody } from "../../../contract/requests.ts";
import { SCOPES, type Scope } from "../../../contract/scopes.ts";
import { type IssuedKey, createKey, revokeKey } from "../../resources/keys.ts";
import { ProblemError } from "../../http/problem.ts";
import { DAY_MS } from "../../resources/time-range.ts";
import { findAccountKey, listApiKeys, type StoredApiKey } from "../../store/api-keys.ts";
import { DangerLink, renderConfirmation } from "../parts/confirm.tsx";
import { Empty, Older, Table, windowOf } from "../parts/lists.tsx";
import { Secret } from "../parts/secret.tsx";
import { renderShell } from "../parts/shell.tsx";
import { FormProblem, TextField } from "../parts/fields.tsx";
import { Badge, Day } from "../parts/values.tsx";
import { freshForm, type FormState } from "../form-state.ts";
import { attempt, parseInput, readForm, type SentForm } from "../forms.ts";
import { write, type DashboardApp, type DashboardContext, type Scene } from "../scene.ts";

const SECTION = "/keys";

/** API keys: the list, making one that is shown once, and revoking. */
export function registerKeyPages(app: DashboardApp): void {
  app.get("/keys", (context) => showKeys(context, freshForm()));
  app.post("/keys", makeKey);
  app.get("/keys/:keyId/revoke", askToRevoke);
  app.post("/keys/:keyId/revoke", async (context) => {
    await write(context.var.scene, (records) => revokeKey(records, context.req.param("keyId")));
    return context.redirect(`${SECTION}?notice=key-revoked`, 303);
  });
}

async function showKeys(context: DashboardContext, state: FormState): Promise<Response> {
  const { scene } = context.var;
  const { items, next } = await listApiKeys(scene.records.database, scene.records.accountId, windowOf(context));
  return renderShell(
    scene,
    { title: "API keys", section: SECTION, notice: context.req.query("notice"), status: state.status },
    <>
      <p>
        A key lets a build, a script or a colleague use the API of this service. Set it as <code>IMPRINT_API_KEY</code>{" "}
        where it is needed; it belongs into no file that is committed.
      </p>
      {items.length === 0 ? (
        <Empty>
          <p>There is no key yet. Make one below, for the build that publishes here.</p>
        </Empty>
      ) : (
        <Table caption="API keys, newest first" columns={["Name", "Key", "May", "Made", "Last used", "Ends", ""]}>
          {items.map((key) => (
            <KeyRow record={key} now={scene.records.now} />
          ))}
        </Table>
      )}
      <Older next={next} />
      <h2>Make a key</h2>
      <KeyForm state={state} />
    </>,
  );
}

interface KeyRowProps {
  readonly record: StoredApiKey;
  readonly now: Date;
}

function KeyRow({ record, now }: KeyRowProps) {
  const { id, name, environment, lastFour, scopes, createdAt, lastUsedAt, expiresAt } = record;
  const isOver = expiresAt !== null && expiresAt <= now;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td class="number">
        <code>
          imp_{environment}_…{lastFour}
        </code>
      </td>
      <td class="words">{scopes === null ? "everything" : scopes.join(", ")}</td>
      <td class="number">
        <Day at={createdAt} />
      </td>
      <td class="number">
        <Day at={lastUsedAt} />
      </td>
      <td class="number">{isOver ? <Badge mood="bad">over</Badge> : <Day at={expiresAt} />}</td>
      <td>
        <DangerLink to={`/keys/${id}/revoke`} label="Revoke" />
      </td>
    </tr>
  );
}

function KeyForm({ state }: { readonly state: FormState }) {
  const isNarrow = state.values["reach"] === "some";
  return (
    <form method="post" action="/keys" class="panel">
      <FormProblem state={state} />
      <TextField name="name" label="Name" state={state} required hint="What or who uses it, such as “CI”." />
      <fieldset>
        <legend>What it may do</legend>
        <label class="choice">
          <input type="radio" name="reach" value="all" checked={!isNarrow} /> Everything
        </label>
        <label class="choice">
          <input type="radio" name="reach" value="some" checked={isNarrow} /> Only what is chosen here
        </label>
        {state.errors["scopes"] !== undefined && <p class="error">{state.errors["scopes"]}</p>}
        <div class="choices">
          {SCOPES.map((scope) => (
            <label class="choice">
              <input type="checkbox" name={fieldOf(scope)} checked={state.values[fieldOf(scope)] !== undefined} />{" "}
              <code>{scope}</code>
            </label>
          ))}
        </div>
      </fieldset>
      <TextField
        name="expiresAt"
        label="Last day"
        type="date"
        state={state}
        hint="The key ends with this day, in UTC. Empty: it does not end."
      />
      <button type="submit">Make the key</button>
    </form>
  );
}

async function makeKey(context: DashboardContext): Promise<Response> {
  const { scene } = context.var;
  const { values } = await readForm(context);
  return await attempt({
    values: { ...values, scopes: "" },
    async accept() {
      const wanted = wantedKey(values);
      return showKey(scene, await write(scene, (records) => createKey(records, wanted, null)));
    },
    again: (state) => showKeys(context, state),
  });
}

function wantedKey(values: SentForm["values"]): KeyCreateBody {
  const isNarrow = values["reach"] === "some";
  const scopes = SCOPES.filter((scope) => values[fieldOf(scope)] !== undefined);
  return parseInput(keyCreateBody, {
    name: values["name"],
    ...(isNarrow && { scopes }),
    ...(values["expiresAt"] !== "" && { expiresAt: endOfDay(values["expiresAt"]) }),
  });
}

function fieldOf(scope: Scope): string {
  return `may:${scope}`;
}

function showKey(scene: Scene, { text, record }: IssuedKey): Response {
  return renderShell(
    scene,
    { title: record.name, section: SECTION, parent: { title: "API keys", path: SECTION }, status: 201 },
    <>
      <Secret label="The key" text={text} hint="Copy it now: it is not stored and can't be shown again." />
      <p>
        <a class="button quiet" href={SECTION}>
          Done
        </a>
      </p>
    </>,
  );
}

async function askToRevoke(context: DashboardContext): Promise<Response> {
  const { scene } = context.var;
  const { accountId, database } = scene.records;
  const key = await findAccountKey(database, { accountId, id: context.req.param("keyId") ?? "" });
  if (key === undefined) throw new ProblemError("key_not_found");
  return renderConfirmation(
    scene,
    {
      title: `Revoke “${key.name}”?`,
      section: SECTION,
      parent: { title: "API keys", path: SECTION },
      to: `/keys/${key.id}/revoke`,
      label: "Revoke the key",
    },
    <p>Whatever uses the key is refused from then on. A revoked key can't be brought back.</p>,
  );
}

/** The first moment after a day; what is no day stays as it is, for the schema to refuse. */
function endOfDay(day: string | undefined): string | undefined {
  const start = /^\d{4}-\d{2}-\d{2}$/.test(day ?? "") ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(start) ? day : new Date(start + DAY_MS).toISOString();
}
