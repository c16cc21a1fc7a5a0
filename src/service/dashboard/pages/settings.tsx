import { VERSION } from "../../../base/version.ts";
import type { Limits } from "../../../contract/limits.ts";
import type { Account } from "../../../contract/extension-records.ts";
import { endSession, listSessionsOf } from "../../auth/sessions.ts";
import { audit } from "../../resources/audit.ts";
import { describeAccount } from "../../resources/account.ts";
import { describeMails } from "../../store/mails.ts";
import { deleteSessionsOf, type Session } from "../../store/sessions.ts";
import { paramOf, write, type DashboardApp, type DashboardContext } from "../context.ts";
import { found } from "../../resources/fields.ts";
import { isAllowed } from "../paths.ts";
import { ButtonLink } from "../parts/actions.tsx";
import { Bytes, Count, countOf, Facts, Table, Time } from "../parts/lists.tsx";
import { renderPage, Section } from "../parts/page.tsx";
import { resourcePages } from "../parts/resource-pages.tsx";

/** Registers the settings: the account's limits and usage, the service's URLs, and sessions. */
export function registerSettings(app: DashboardApp): void {
  resourcePages<Session>(app, {
    section: "/settings",
    route: "/settings/sessions/:hash",
    find: findOwnSession,
    questions: {
      end: {
        ask: (_, { browser, createdAt }) => ({
          title: "Sign out this browser?",
          parent: { title: "Settings", path: "/settings#sessions" },
          button: "Sign out",
          main: (
            <p>
              {browser ?? "The browser"}, signed in on <Time at={createdAt} />, will need a new sign-in link.
            </p>
          ),
        }),
        async answer(context, { hash: keyId, userId }) {
          const cookie = await write(context, async (records) => {
            await audit(records, { action: "sign-out", detail: "from another session" });
            return await endSession(records, { keyId, userId });
          });
          if (keyId !== context.var.person.keyId) return "/settings?notice=session-ended#sessions";
          context.header("Set-Cookie", cookie);
          return "/sign-in";
        },
      },
    },
  });
  resourcePages(app, {
    section: "/settings",
    route: "/settings",
    find: async () => ({ title: "Settings", path: "/settings" }),
    list: showSettings,
    questions: {
      "sign-out-everywhere": {
        ask: (_, parent) => ({
          title: "Sign out everywhere?",
          parent,
          button: "Sign out everywhere",
          main: (
            <p>
              All your browsers are signed out, including this one. <code>imprint dashboard</code> creates a new sign-in
              link. API keys and connected apps stay as they are.
            </p>
          ),
        }),
        async answer(context) {
          await write(context, async (records) => {
            await audit(records, { action: "sign-out", detail: "everywhere" });
            await deleteSessionsOf(records.database, context.var.person.userId);
          });
          context.header("Set-Cookie", await endSession(context.var.records, context.var.person));
          return "/sign-in";
        },
      },
    },
  });
}

async function findOwnSession(context: DashboardContext): Promise<Session> {
  const { records, person } = context.var;
  const sessions = await listSessionsOf(records, person);
  return found(
    sessions.find(({ hash }) => hash === paramOf(context, "hash")),
    "no_such_route",
  );
}

async function showSettings(context: DashboardContext): Promise<Response> {
  const { core, records, person } = context.var;
  const { routeSet, strict, analytics, retention } = core.settings;
  const { appUrl, pagesUrl } = records.addresses;
  const { name, plan, usage } = await describeAccount(records, routeSet);
  const root = `route set ${routeSet.toUpperCase()}${strict ? ", limited to the specification" : ""}`;
  return renderPage(
    context,
    {},
    <>
      <Section id="account" title="Account">
        <Facts
          rows={[
            ["Name", name],
            ["Plan", plan],
            ["Version", `astro-imprint ${VERSION}`],
          ]}
        />
      </Section>
      <Usage usage={usage} limits={records.limits} />
      <Section id="addresses" title="Addresses">
        <Facts
          rows={[
            ["Published pages", <code>{pagesUrl}</code>],
            ["API, route set A", <code>{appUrl}/a</code>],
            ["API, route set B", <code>{appUrl}/b</code>],
            ["API, at the root", root],
            ["Visits", analytics ? "counted, without cookies" : "not counted"],
          ]}
        />
      </Section>
      <Section id="mail" title="Mail">
        {await renderMail(context)}
      </Section>
      <Section id="kept" title="Retention">
        <Facts
          rows={[
            ["API requests", describeDays(retention.requestLogDays)],
            ["Events and deliveries", describeDays(retention.eventDays)],
            ["Form submissions", describeDays(retention.submissionDays)],
            ["Visit statistics", describeDays(retention.statsDays)],
            ["Audit log", describeDays(retention.auditDays)],
          ]}
        />
        <p class="soft">Addresses and retention are set when the service starts.</p>
      </Section>
      <Section id="sessions" title="Sessions">
        <p>A browser that isn’t used for 14 days is signed out automatically, and every browser after 90 days.</p>
        <Table
          caption="Your browsers"
          rows={await listSessionsOf(records, person)}
          columns={[
            ["Browser", ({ browser }) => browser ?? "Unknown browser"],
            ["Address", ({ address }) => address ?? "–"],
            ["Signed in", ({ createdAt }) => <Time at={createdAt} />],
            ["Last used", ({ lastSeenAt }) => <Time at={lastSeenAt} />],
            ["", ({ hash }) => (hash === person.keyId ? "This browser" : "")],
            ["", ({ hash }) => <ButtonLink to={`/settings/sessions/${hash}/end`} variant="danger" label="Sign out" />],
          ]}
        />
        <p class="older">
          <ButtonLink to="/settings/sign-out-everywhere" variant="danger" label="Sign out everywhere" />
        </p>
      </Section>
    </>,
  );
}

/** Responses of the mail server are for owners only: they may contain internal host names. */
async function renderMail(context: DashboardContext) {
  const { core, records, person } = context.var;
  const { mail } = core.settings;
  if (mail === undefined) return <p class="soft">Off: sign-in links are written to the service’s terminal or log.</p>;
  const { waiting, lastFailure } = await describeMails(records.database);
  const failure =
    lastFailure === undefined ? (
      "none"
    ) : (
      <>
        {lastFailure.lastError}, a mail of <Time at={lastFailure.createdAt} />
      </>
    );
  const isOwner = isAllowed(person.scopes, "/requests", "reads");
  return (
    <Facts
      rows={[
        ["Waiting", waiting],
        ...(isOwner ? [["Mail server", new URL(mail.smtpUrl).host] as const, ["Last failure", failure] as const] : []),
      ]}
    />
  );
}

function Usage({ usage, limits }: { readonly usage: Account["usage"]; readonly limits: Limits }) {
  const pixels = (
    <>
      <Bytes count={limits.maxAssetBytes} />; images up to <Count value={limits.maxImagePixels} /> pixels
    </>
  );
  return (
    <Section id="usage" title="Usage and limits">
      <ul class="meters">
        <Used name="Pages" count={usage.pages} limit={limits.maxPages} />
        <Used name="Sites" count={usage.sites} limit={limits.maxSites} />
      </ul>
      <Facts
        rows={[
          ["Library files", usage.assets],
          ["Blogs", usage.blogs],
          ["Posts", usage.posts],
          ["Brand kits", usage.brandKits],
          ["Largest page", <Bytes count={limits.maxPageBytes} />],
          ["Largest file", pixels],
          ["Largest post", <Bytes count={limits.maxPostBytes} />],
        ]}
      />
    </Section>
  );
}

function Used({ name, count, limit }: { readonly name: string; readonly count: number; readonly limit: number }) {
  return (
    <li>
      <span>{name}</span>
      <meter min={0} max={limit} value={count} high={limit * 0.9} aria-label={`${name} of ${limit}`}></meter>
      <span class="soft">
        <Count value={count} /> of <Count value={limit} />
      </span>
    </li>
  );
}

function describeDays(days: number | null): string {
  return days === null ? "forever" : countOf(days, "day");
}
