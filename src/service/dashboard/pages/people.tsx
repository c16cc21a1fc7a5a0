import { titlesOf } from "../../../contract/fields.ts";
import { userCreateBody, userPatchBody } from "../../../contract/operations/people.ts";
import { ROLES, userRecord, type Role } from "../../../contract/people.ts";
import { inviteUser } from "../../auth/invitations.ts";
import { createUser, getManagedUser, getUser, patchUser, removeUser } from "../../resources/users.ts";
import { listKeysOf } from "../../store/api-keys.ts";
import { type StoredUser, listUsers } from "../../store/users.ts";
import { paramOf, write, type DashboardApp, type DashboardContext } from "../context.ts";
import {
  parseFields,
  parseInput,
  readForm,
  valuesOf,
  type Field,
  type Fields,
  type FormState,
  type FormValues,
  type Target,
  freshForm,
} from "../forms.ts";
import { Action, ButtonLink, renderSecret } from "../parts/actions.tsx";
import { registerBulk } from "../parts/bulk.tsx";
import { FieldsForm, FieldList } from "../parts/fields.tsx";
import { ListPart, readListPage, type BulkList } from "../parts/list-page.tsx";
import { Time } from "../parts/lists.tsx";
import { renderPage } from "../parts/page.tsx";
import { resourcePages } from "../parts/resource-pages.tsx";

const TITLES = titlesOf(userRecord);
const NAMES: Readonly<Record<Role, string>> = { owner: "Owner", editor: "Editor", viewer: "Viewer" };

const ROLE: Field = {
  label: TITLES.role,
  kind: "choice",
  required: true,
  hint: "An owner may do everything, including people, keys, and domains. An editor may change pages, sites, files, posts, brand kits, and forms. A viewer sees the same, but can’t change anything.",
  options: ROLES.map((role) => [role, NAMES[role]]),
};

const FIELDS: Fields = {
  email: {
    label: TITLES.email,
    kind: "email",
    required: true,
    hint: "Sign-in links are for this address.",
  },
  name: { label: TITLES.name },
  role: ROLE,
};

const MAILS: Fields = {
  formMails: {
    label: TITLES.formMails,
    kind: "choice",
    hint: "Sent when a visitor submits a form, if the service has a mail server.",
    options: [
      ["false", "None"],
      ["true", "One for each submission"],
    ],
  },
};

const KEYS_FATE: Fields = {
  keys: {
    label: "Their API keys",
    kind: "choice",
    options: [
      ["revoke", "Revoke them; what uses them loses access"],
      ["keep", "Transfer them to you, with their current permissions"],
    ],
  },
};

const LIST: BulkList<StoredUser> = {
  noun: "user",
  search: { label: "Find a user", placeholder: "Name or email address" },
  filters: {
    // The form below the list has a role field, and field names must be unique on a page.
    who: {
      label: "Who",
      kind: "choice",
      options: [
        ["", "Everyone"],
        ["owner", "Owners"],
        ["editor", "Editors"],
        ["viewer", "Viewers"],
      ],
    },
  },
  orders: ["created", "oldest", "name"],
  read: ({ var: { records } }, { filters, ...wanted }) => {
    const role = ROLES.find((each) => each === filters["who"]);
    return listUsers(records.reader, records.accountId, { ...wanted, role });
  },
  nameOf: ({ id, name, email }, reader) => {
    const facts = [...(email === null || email === name ? [] : [email]), ...(id === reader?.userId ? ["you"] : [])];
    return facts.length === 0 ? name : `${name} (${facts.join(", ")})`;
  },
  actions: {
    role: {
      label: "Change role",
      done: "changed",
      fields: { role: { ...ROLE, options: [["", "Choose a role"], ...(ROLE.options ?? [])] } },
      run: (records, { id }, { role }) => patchUser(records, id, parseInput(userPatchBody, { role })),
    },
    remove: {
      label: "Remove",
      done: "removed",
      danger: true,
      consequence: "They are signed out everywhere, and apps that they connected stop working.",
      fields: KEYS_FATE,
      run: (records, { id }, { keys }) => removeUser(records, id, keys === "keep" ? "keep" : "revoke"),
    },
  },
};

/** Registers the users of the account: inviting, changing and removing them. */
export function registerPeoplePages(app: DashboardApp): void {
  registerBulk(app, "/people", LIST);
  resourcePages(app, {
    section: "/people",
    route: "/people/:userId",
    find: (context) => getUser(context.var.records, paramOf(context, "userId")),
    list: showPeople,
    create: { render: showPeople, save: invite },
    edit: {
      render: showUser,
      values: (user) => valuesOf({ ...FIELDS, ...MAILS }, user),
      async save(context, { id }, values) {
        const patch = parseFields(userPatchBody, { fields: FIELDS, values });
        const formMails = values["formMails"] === "true";
        await write(context, (records) => patchUser(records, id, { ...patch, formMails }));
        return `/people/${id}?notice=saved`;
      },
    },
    questions: {
      remove: {
        ask: async (context, user) => ({
          title: `Remove “${user.name}”?`,
          parent: { title: user.name, path: `/people/${user.id}` },
          button: "Remove user",
          main: <Removal names={(await listKeysOf(context.var.records.database, user.id)).map(({ name }) => name)} />,
        }),
        async answer(context, { id }) {
          const { values } = await readForm(context);
          await write(context, (records) => removeUser(records, id, values["keys"] === "keep" ? "keep" : "revoke"));
          return "/people?notice=user-removed";
        },
      },
    },
    actions: { link: (context) => showLink(context, paramOf(context, "userId"), 200) },
  });
}

async function showPeople(context: DashboardContext, form: FormState): Promise<Response> {
  const users = await readListPage(context, LIST);
  const { userId } = context.var.person;
  return renderPage(
    context,
    { form },
    <>
      <ListPart
        of={users}
        empty="No one has been invited yet. Invite the first user below."
        caption="People"
        columns={[
          [
            TITLES.name,
            ({ id, name }) => (
              <>
                <a href={`/people/${id}`}>{name}</a>
                {id === userId && " (you)"}
              </>
            ),
          ],
          [TITLES.email, ({ email }) => email ?? "–"],
          [TITLES.role, ({ role }) => role],
          [TITLES.lastSignInAt, ({ lastSignInAt }) => <Time at={lastSignInAt} to="day" />],
        ]}
      />
      <h2>Invite someone</h2>
      <FieldsForm
        to="/people"
        fields={FIELDS}
        state={{ ...form, values: { role: "editor", ...form.values } }}
        button="Invite"
        class="panel"
      />
    </>,
  );
}

function showUser(context: DashboardContext, user: StoredUser, form: FormState): Response {
  const path = `/people/${user.id}`;
  const actions = (
    <>
      <Action to={`${path}/link`} label="New sign-in link" />
      <ButtonLink to={`${path}/remove`} variant="danger" label="Remove" />
    </>
  );
  return renderPage(
    context,
    { title: user.name, form, actions },
    <FieldsForm to={path} fields={{ ...FIELDS, ...MAILS }} state={form} button="Save" />,
  );
}

function Removal({ names }: { readonly names: readonly string[] }) {
  return (
    <>
      <p>The user is signed out everywhere, and apps that the user connected stop working.</p>
      {names.length > 0 && <p>API keys of this user: {names.join(", ")}</p>}
      {names.length > 0 && <FieldList fields={KEYS_FATE} state={freshForm()} />}
    </>
  );
}

async function invite(context: DashboardContext, values: FormValues): Promise<Target> {
  const body = parseFields(userCreateBody, { fields: FIELDS, values });
  const { id } = await write(context, (records) => createUser(records, body));
  return await showLink(context, id, 201);
}

async function showLink(context: DashboardContext, id: string, status: number): Promise<Target> {
  const { user, invitation } = await write(context, async (records) => {
    const invited = await getManagedUser(records, id);
    return { user: invited, invitation: await inviteUser(records, invited) };
  });
  if (invitation.url === undefined) return "/people?notice=invitation-sent";
  return renderSecret(context, {
    title: `Link for ${user.name}`,
    status,
    label: "Sign-in link",
    text: invitation.url,
    hint: `Send it to ${user.email ?? user.name}. It signs in once, within 7 days, and isn’t shown again.`,
    done: { title: "Done", path: "/people" },
  });
}
