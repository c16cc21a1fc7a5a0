import { overviewPages, summarize } from "../../resources/analytics.ts";
import type { Context } from "../../resources/context.ts";
import { DAY_MS, formatDay, startOfDay } from "../../resources/time-range.ts";
import { countRecords } from "../../store/accounts.ts";
import { listDomains, type Domain } from "../../store/domains.ts";
import { listPages } from "../../store/pages.ts";
import { countLivePages } from "../../store/preview-slugs.ts";
import { findRow } from "../../store/rows.ts";
import { listSubmissions, type Submission } from "../../store/submissions.ts";
import { findDelayedMail } from "../../store/mails.ts";
import { listWebhooks, type Webhook } from "../../store/webhooks.ts";
import { newest, type DashboardApp, type DashboardContext } from "../context.ts";
import { ViewsChart } from "../parts/charts.tsx";
import { Badge, Facts, Stats, Time } from "../parts/lists.tsx";
import { renderPage, Section, streamPage } from "../parts/page.tsx";
import { PageCards } from "../parts/previews.tsx";
import { isAllowed, type Link } from "../paths.ts";

const DAYS = 7;
const PAGES = 3;
const SUBMISSIONS = 5;
const MAX_EXCERPT_LENGTH = 160;

/** Registers the home page of the dashboard: an overview, or how to get started. */
export function registerOverview(app: DashboardApp): void {
  app.get("/", async (context) =>
    (await holdsAnything(context.var.records)) ? showOverview(context) : showFirstRun(context),
  );
}

async function holdsAnything({ database, accountId }: Context): Promise<boolean> {
  // With many records, counting would delay the first byte too long.
  if ((await findRow(database, "page", { accountId })) !== undefined) return true;
  const { posts, assets } = await countRecords(database, accountId);
  return posts + assets > 0;
}

/** Shows content, recent activity and problems. */
function showOverview(context: DashboardContext): Response {
  const { records } = context.var;
  const { database, reader, accountId } = records;
  const from = formatDay(startOfDay(records.now) - (DAYS - 1) * DAY_MS);
  const latest = { filter: { spam: false, part: "live" }, ...newest(SUBMISSIONS) } as const;
  return streamPage(context, {}, async () => {
    const [usage, livePages, { items: pages }, { items: submissions }, { totals }, { series }, troubles] =
      await Promise.all([
        countRecords(reader, accountId),
        countLivePages(reader, accountId),
        listPages(database, accountId, { filter: { part: "live" }, ...newest(PAGES) }),
        listSubmissions(database, accountId, latest),
        summarize(records, { from }, { limit: 1 }),
        overviewPages(records, { from }),
        findTroubles(records),
      ]);
    return (
      <>
        {troubles.length > 0 && <Attention troubles={troubles} />}
        <Stats
          rows={[
            ["pages", livePages, "/pages"],
            ["posts", usage.posts, "/blogs"],
            ["library files", usage.assets, "/library"],
            ["views in 7 days", totals.views, "/analytics"],
            ["submissions in 7 days", totals.submissions, "/forms"],
          ]}
        />
        {totals.views > 0 && <ViewsChart title="Views in the last 7 days" steps={series} />}
        {pages.length > 0 && (
          <Section id="newest" title="Newest pages">
            <PageCards pages={pages} level="h3" />
          </Section>
        )}
        {submissions.length > 0 && <LatestSubmissions submissions={submissions} />}
      </>
    );
  });
}

const MAX_CHECKED = 100;

/** Lists problems that a user has to fix, with links to where. */
async function findTroubles({ database, accountId, actor, wakeMailer }: Context): Promise<readonly Link[]> {
  const delayed = wakeMailer && (await findDelayedMail(database));
  const { items: webhooks } = await listWebhooks(database, accountId, newest(MAX_CHECKED));
  const { items: domains } = await listDomains(database, accountId, newest(MAX_CHECKED));
  return [
    ...webhooks.map((webhook) => ({ path: `/webhooks/${webhook.id}`, title: webhookTrouble(webhook) })),
    ...domains.map((domain) => ({ path: `/domains/${domain.id}`, title: domainTrouble(domain) })),
    {
      path: "/people",
      title: delayed && `Mail has been waiting since ${delayed.createdAt.toISOString()}: ${delayed.lastError ?? ""}`,
    },
  ].flatMap(({ path, title }) => {
    const isShown = title !== undefined && isAllowed(actor?.scopes ?? null, path, "reads");
    return isShown ? [{ path, title }] : [];
  });
}

function webhookTrouble({ url, disabledReason, failingSince }: Webhook): string | undefined {
  const { host } = new URL(url);
  switch (disabledReason) {
    case "gone":
      return `The webhook to ${host} was disabled: its receiver responded that it is gone.`;
    case "failing":
      return `The webhook to ${host} was disabled: all deliveries failed for five days.`;
    case "switched-off":
      return undefined;
    case null:
      return failingSince === null ? undefined : `Deliveries to the webhook ${host} are failing and being retried.`;
  }
}

function domainTrouble({ name, status, missingSince }: Domain): string | undefined {
  if (status === "failed") return `The domain ${name} failed: its verification record was not found in DNS.`;
  return missingSince === null ? undefined : `The verification record of the domain ${name} is gone from DNS.`;
}

function Attention({ troubles }: { readonly troubles: readonly Link[] }) {
  return (
    <section class="warning" aria-labelledby="attention">
      <h2 id="attention">Needs your attention</h2>
      <ul>
        {troubles.map(({ title, path }) => (
          <li>
            <a href={path}>{title}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function LatestSubmissions({ submissions }: { readonly submissions: readonly Submission[] }) {
  return (
    <Section id="messages" title="Latest submissions">
      <ul class="plain-list">
        {submissions.map((submission) => (
          <li>
            <Time at={submission.createdAt} />{" "}
            <a href={`/forms/${submission.formId}/${submission.id}`}>{submission.email ?? submission.pageSlug}</a>{" "}
            {submission.lead && <Badge variant="good">new contact</Badge>}{" "}
            <span class="soft">{excerptOf(submission)}</span>
          </li>
        ))}
      </ul>
      <p>
        <a href="/forms">All forms</a>
      </p>
    </Section>
  );
}

function excerptOf({ fields, email }: Submission): string {
  const texts = fields.flatMap(([, value]) => value);
  const text = texts.filter((each) => each.toLowerCase() !== email).join(" · ");
  return text.length > MAX_EXCERPT_LENGTH ? `${text.slice(0, MAX_EXCERPT_LENGTH)}…` : text;
}

const CONFIG = `import imprint from "astro-imprint";

export default defineConfig({
  integrations: [imprint({ service: "SERVICE" })],
});`;

/** Explains how to publish, while nothing is published. */
function showFirstRun(context: DashboardContext): Response {
  const { routeSet } = context.var.core.settings;
  const { appUrl, pagesUrl } = context.var.records.addresses;
  const other = routeSet === "a" ? "b" : "a";
  return renderPage(
    context,
    { title: "Nothing is published yet" },
    <>
      <p class="lead">
        This service is waiting for a site. Pages that you publish appear below <code>{pagesUrl}/p/</code> and in this
        dashboard.
      </p>
      <ol class="steps">
        <li>
          <h2>Add this service to your project</h2>
          <p>
            Install the package with <code>npm install --save-dev astro-imprint</code>, then add it to{" "}
            <code>astro.config.mjs</code>:
          </p>
          <pre tabindex={0}>{CONFIG.replace("SERVICE", appUrl)}</pre>
        </li>
        <li>
          <h2>Sign in</h2>
          <p>Approve the project in your browser. You don’t have to copy anything.</p>
          <pre tabindex={0}>npx imprint login --service {appUrl}</pre>
          <p>
            In CI, <a href="/keys">create an API key</a> and set it as <code>IMPRINT_API_KEY</code> instead.
          </p>
        </li>
        <li>
          <h2>Build</h2>
          <p>Every build publishes. The second command publishes an existing build.</p>
          <pre tabindex={0}>{"npx astro build\nnpx imprint publish"}</pre>
        </li>
      </ol>
      <Section id="api" title="For other programs">
        <p>
          The API has two route sets. At <code>{appUrl}</code> it is route set {routeSet.toUpperCase()}, and each has an
          address of its own.
        </p>
        <Facts
          rows={[routeSet, other].map((each) => [
            `Route set ${each.toUpperCase()}`,
            <code>{`${appUrl}/${each}`}</code>,
          ])}
        />
      </Section>
    </>,
  );
}
