import { readFileSync } from "node:fs";
import * as z from "zod";
import type { Limits } from "../../../../contract/limits.ts";
import { describeAccount } from "../../../resources/account.ts";
import { DangerLink } from "../../parts/confirm.tsx";
import { renderShell } from "../../parts/shell.tsx";
import { Bytes, Count } from "../../parts/values.tsx";
import type { DashboardApp, DashboardContext, Scene } from "../../scene.ts";
import { registerSignOutEverywhere } from "./sign-out.tsx";

/** What the account may do and holds, where the service is reached, and the sessions. */
export function registerSettings(app: DashboardApp): void {
  app.get("/settings", showSettings);
  registerSignOutEverywhere(app);
}

async function showSettings(context: DashboardContext): Promise<Response> {
  const { scene } = context.var;
  const { routeSet } = scene.core.settings;
  const { name, plan, usage } = await describeAccount(scene.records, routeSet);
  const { limits } = scene.records;
  const page = { title: "Settings", section: "/settings", notice: context.req.query("notice") };
  return renderShell(
    scene,
    page,
    <>
      <section aria-labelledby="account">
        <h2 id="account">Account</h2>
        <dl>
          <dt>Name</dt>
          <dd>{name}</dd>
          <dt>Plan</dt>
          <dd>{plan}</dd>
          <dt>Version</dt>
          <dd>astro-imprint {readVersion()}</dd>
        </dl>
      </section>
      <Usage usage={usage} limits={limits} />
      <Addresses scene={scene} />
      <Kept retention={scene.core.settings.retention} />
      <section aria-labelledby="sessions">
        <h2 id="sessions">Sessions</h2>
        <p>A browser that is not used for 14 days is signed out by itself.</p>
        <p>
          <DangerLink to="/settings/sign-out-everywhere" label="Sign out everywhere" />
        </p>
      </section>
    </>,
  );
}

interface UsageProps {
  readonly usage: Awaited<ReturnType<typeof describeAccount>>["usage"];
  readonly limits: Limits;
}

function Usage({ usage, limits }: UsageProps) {
  return (
    <section aria-labelledby="usage">
      <h2 id="usage">What is held, and the limits</h2>
      <ul class="meters">
        <Used name="Pages" count={usage.pages} limit={limits.maxPages} />
        <Used name="Sites" count={usage.sites} limit={limits.maxSites} />
      </ul>
      <dl>
        <dt>Library files</dt>
        <dd>
          <Count value={usage.assets} />
        </dd>
        <dt>Blogs and posts</dt>
        <dd>
          <Count value={usage.blogs} /> and <Count value={usage.posts} />
        </dd>
        <dt>Brand kits</dt>
        <dd>
          <Count value={usage.brandKits} />
        </dd>
        <dt>Largest page</dt>
        <dd>
          <Bytes count={limits.maxPageBytes} />
        </dd>
        <dt>Largest file</dt>
        <dd>
          <Bytes count={limits.maxAssetBytes} />, images <Count value={limits.maxImagePixels} /> pixels
        </dd>
        <dt>Largest post</dt>
        <dd>
          <Bytes count={limits.maxPostBytes} />
        </dd>
      </dl>
    </section>
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

function Addresses({ scene }: { readonly scene: Scene }) {
  const { routeSet, strict, analytics } = scene.core.settings;
  const { appUrl, pagesUrl } = scene.records.addresses;
  return (
    <section aria-labelledby="addresses">
      <h2 id="addresses">Addresses</h2>
      <dl>
        <dt>Published pages</dt>
        <dd>
          <code>{pagesUrl}</code>
        </dd>
        <dt>API, route set A</dt>
        <dd>
          <code>{appUrl}/a</code>
        </dd>
        <dt>API, route set B</dt>
        <dd>
          <code>{appUrl}/b</code>
        </dd>
        <dt>API, at the root</dt>
        <dd>
          route set {routeSet.toUpperCase()}
          {strict ? ", with only what the specification shows" : ""}
        </dd>
        <dt>Visits</dt>
        <dd>{analytics ? "counted, without cookies" : "not counted"}</dd>
      </dl>
    </section>
  );
}

function Kept({ retention }: { readonly retention: Scene["core"]["settings"]["retention"] }) {
  const rows: readonly (readonly [string, number | null])[] = [
    ["Requests to the API", retention.requestLogDays],
    ["Events and deliveries", retention.eventDays],
    ["What forms received", retention.submissionDays],
    ["Numbers of visits", retention.statsDays],
  ];
  return (
    <section aria-labelledby="kept">
      <h2 id="kept">How long it is kept</h2>
      <dl>
        {rows.map(([name, days]) => (
          <>
            <dt>{name}</dt>
            <dd>{days === null ? "for good" : days === 1 ? "1 day" : `${days} days`}</dd>
          </>
        ))}
      </dl>
      <p class="soft">Addresses and times are set where the service is started, and shown here to be looked up.</p>
    </section>
  );
}

function readVersion(): string {
  const manifest = readFileSync(new URL("../../../../../package.json", import.meta.url), "utf8");
  return z.object({ version: z.string() }).parse(JSON.parse(manifest)).version;
}
