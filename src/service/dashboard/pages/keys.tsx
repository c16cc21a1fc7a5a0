import { keyRecord } from "../../../contract/extension-records.ts";
import { titlesOf } from "../../../contract/fields.ts";
import { keyCreateBody, type KeyCreateBody } from "../../../contract/operations/account.ts";
import { SCOPES, type Scope } from "../../../contract/scopes.ts";
import { createKey, revokeKey } from "../../resources/keys.ts";
import { ProblemError } from "../../http/problem.ts";
import { DAY_MS } from "../../resources/time-range.ts";
import { findAccountKey, type StoredApiKey, listApiKeys } from "../../store/api-keys.ts";
import { paramOf, write, type DashboardApp, type DashboardContext } from "../context.ts";
import { parseInput, type Fields, type FormState, type FormValues } from "../forms.ts";
import { ButtonLink, renderSecret } from "../parts/actions.tsx";
import { registerBulk } from "../parts/bulk.tsx";
import { Choices, FieldList } from "../parts/fields.tsx";
import { ListPart, readListPage, type BulkList } from "../parts/list-page.tsx";
import { Badge, Time } from "../parts/lists.tsx";
import { renderPage } from "../parts/page.tsx";
import { resourcePages } from "../parts/resource-pages.tsx";

const TITLES = titlesOf(keyRecord);

const LIST: BulkList<StoredApiKey> = {
  noun: "key",
  search: { label: "Find a key", placeholder: "Name or last four characters" },
  filters: {},
  orders: ["created", "oldest", "name"],
  read: ({ var: { records } }, wanted) => listApiKeys(records.reader, records.accountId, wanted),
  nameOf: ({ name, lastFour }) => `${name} (…${lastFour})`,
  actions: {
    revoke: {
      label: "Revoke",
      done: "revoked",
      danger: true,
      consequence: "Whatever uses them loses access. A revoked key can’t be restored.",
      run: (records, { id }) => revokeKey(records, id),
    },
  },
};

/** Registers API keys: the list, creating a key that is shown once, and revoking. */
export function registerKeyPages(app: DashboardApp): void {
  registerBulk(app, "/keys", LIST);
  resourcePages(app, {
    section: "/keys",
    route: "/keys/:keyId",
    find: findKey,
    list: showKeys,
    create: { render: showKeys, groups: ["scopes"], save: saveKey },
    questions: {
      revoke: {
        ask: (_, { name }) => ({
          title: `Revoke “${name}”?`,
          parent: { title: "API keys", path: "/keys" },
          button: "Revoke key",
          main: <p>Whatever uses the key loses access. A revoked key can't be restored.</p>,
        }),
        async answer(context) {
          await write(context, (records) => revokeKey(records, paramOf(context, "keyId")));
          return "/keys?notice=key-revoked";
        },
      },
    },
  });
}

async function findKey(context: DashboardContext): Promise<StoredApiKey> {
  const { accountId, database } = context.var.records;
  const key = await findAccountKey(database, { accountId, id: paramOf(context, "keyId") });
  if (key === undefined) throw new ProblemError("key_not_found");
  return key;
}

async function showKeys(context: DashboardContext, form: FormState): Promise<Response> {
  const { now } = context.var.records;
  const keys = await readListPage(context, LIST);
  return renderPage(
    context,
    { form },
    <>
      <p>
        A key lets a build, a script or a colleague use the API of this service. Set it as <code>IMPRINT_API_KEY</code>{" "}
        where it is needed; never commit it.
      </p>
      <ListPart
        of={keys}
        empty="There are no keys yet. Create one below for the build that publishes here."
        caption="API keys"
        columns={[
          [TITLES.name, ({ name }) => name],
          [TITLES.key, ({ environment, lastFour }) => <code>{`imp_${environment}_…${lastFour}`}</code>, "number"],
          [TITLES.scopes, ({ scopes }) => (scopes === null ? "everything" : scopes.join(", ")), "words"],
          [TITLES.createdAt, ({ createdAt }) => <Time at={createdAt} to="day" />],
          [TITLES.lastUsedAt, ({ lastUsedAt }) => <Time at={lastUsedAt} to="day" />],
          [TITLES.expiresAt, ({ expiresAt }) => <Expiry at={expiresAt} now={now} />],
          ["", ({ id }) => <ButtonLink to={`/keys/${id}/revoke`} variant="danger" label="Revoke" />],
        ]}
      />
      <h2>Create a key</h2>
      <KeyForm form={form} />
    </>,
  );
}

function Expiry({ at, now }: { readonly at: Date | null; readonly now: Date }) {
  if (at !== null && at <= now) return <Badge variant="bad">expired</Badge>;
  return <Time at={at} to="day" />;
}

const NAME: Fields = { name: { label: TITLES.name, required: true, hint: "What or who uses it, such as “CI”." } };

const EXPIRY: Fields = {
  expiresAt: {
    label: "Last day",
    kind: "date",
    hint: "The key expires at the end of this day, in UTC. Leave empty for no expiry.",
  },
};

function KeyForm({ form }: { readonly form: FormState }) {
  const isNarrow = form.values["reach"] === "some";
  return (
    <form method="post" action="/keys" class="panel">
      <FieldList fields={NAME} state={form} />
      <fieldset>
        <legend>{TITLES.scopes}</legend>
        <label class="choice">
          <input type="radio" name="reach" value="all" checked={!isNarrow} /> Everything
        </label>
        <label class="choice">
          <input type="radio" name="reach" value="some" checked={isNarrow} /> Only these:
        </label>
        {form.errors["scopes"] !== undefined && <p class="error">{form.errors["scopes"]}</p>}
        <div class="choices">
          <Choices values={SCOPES} nameOf={fieldOf} state={form} />
        </div>
      </fieldset>
      <FieldList fields={EXPIRY} state={form} />
      <button type="submit">Create key</button>
    </form>
  );
}

async function saveKey(context: DashboardContext, values: FormValues): Promise<Response> {
  const wanted = parseKey(values);
  const { text, record } = await write(context, (records) => createKey(records, wanted));
  return renderSecret(context, {
    title: record.name,
    status: 201,
    label: "API key",
    text,
    hint: "Copy it now: it isn't stored and can't be shown again.",
    done: { title: "Done", path: "/keys" },
  });
}

function parseKey(values: FormValues): KeyCreateBody {
  const scopes = SCOPES.filter((scope) => values[fieldOf(scope)] !== undefined);
  return parseInput(keyCreateBody, {
    name: values["name"],
    ...(values["reach"] === "some" && { scopes }),
    ...(values["expiresAt"] !== "" && { expiresAt: endOfDay(values["expiresAt"]) }),
  });
}

function fieldOf(scope: Scope): string {
  return `may:${scope}`;
}

/** Returns the first moment after a day; invalid input stays unchanged for the schema to reject. */
function endOfDay(day: string | undefined): string | undefined {
  const start = /^\d{4}-\d{2}-\d{2}$/.test(day ?? "") ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(start) ? day : new Date(start + DAY_MS).toISOString();
}
