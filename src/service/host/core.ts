import type { AnyHandler } from "../api/call.ts";
import { createAuthenticator, type Authenticator, type HandleKey } from "../auth/authenticate.ts";
import { createChallenges, type Challenges } from "../auth/challenges.ts";
import { createDomains, type Domains } from "../domains/domains.ts";
import { createGuardedFetch, type GuardedFetch } from "../guarded-fetch/guarded-fetch.ts";
import { createHealth, type Health } from "./health.ts";
import { createGate, type Gate } from "../../base/gate.ts";
import type { Settings } from "./options.ts";
import { createApiRateLimiter, type ApiRateLimiter } from "./api-rate-limiter.ts";
import type { Queue } from "../jobs/queue.ts";
import { type RequestRecorder, createRequestRecorder } from "./request-log.ts";
import { createMarkdownRenderer, type MarkdownRenderer } from "../markdown/markdown-renderer.ts";
import type { Addresses } from "../resources/addresses.ts";
import { type Context, createId, createIdAt } from "../resources/context.ts";
import { createThumbnails, type Thumbnails } from "../resources/thumbnails.ts";
import { ensureAccount, type StoredAccount } from "../store/accounts.ts";
import { asStateError, openStore, type Store } from "../store/open-store.ts";
import { createJobs } from "../jobs/all.ts";
import { createSettler } from "../jobs/settler.ts";
import { createJobRunner } from "../jobs/runner.ts";
import { createMailQueue } from "../mail/deliver.ts";
import type { Mail } from "../store/mails.ts";
import { createDeliveryQueue } from "../webhooks/deliver.ts";

/** What the rooms of one service share. */
export interface Core {
  readonly settings: Settings;
  readonly addresses: Addresses;
  readonly store: Store;
  /** What runs an operation, by its name. */
  readonly handlers: Readonly<Record<string, AnyHandler>>;
  readonly account: StoredAccount;
  readonly authenticator: Authenticator;
  /** How who is refused learns where tokens come from. */
  readonly challenges: Challenges;
  readonly now: () => Date;
  /** Uploads are held in memory whole, so only a few at a time. */
  readonly uploads: Gate;
  /** The same for what is fetched from other hosts, which may be slow. */
  readonly imports: Gate;
  /** `undefined`: requests are not counted. */
  readonly rateLimiter: ApiRateLimiter | undefined;
  /** The same for parts of releases, of which a publisher sends a few at once. */
  readonly bundles: Gate;
  readonly sender: Queue<unknown>;
  /** Writes the pages of published releases. */
  readonly settler: Queue<unknown>;
  readonly mailer: Queue<Mail>;
  readonly domains: Domains;
  readonly requests: RequestRecorder;
  readonly jobs: Queue<string>;
  readonly health: Health;
  readonly markdown: MarkdownRenderer;
  readonly thumbnails: Thumbnails;
  /** The way to addresses that strangers name. */
  readonly remote: GuardedFetch;
  contextOf(accountId: string): Context;
  /** Ends what runs beside requests, then closes the store. */
  close(): Promise<void>;
}

export interface CoreOptions extends Pick<Core, "addresses" | "handlers"> {
  /** SHA-256 of the key of the handle. */
  readonly handleKeyHash: string;
}

const MAX_UPLOADS = 2;
const MAX_IMPORTS = 4;
const MAX_BUNDLES = 4;

/** Opens the store and everything that lives on it; throws `STATE_UNWRITABLE` or `STATE_UNREADABLE`. */
export async function openCore(settings: Settings, { addresses, handlers, handleKeyHash }: CoreOptions): Promise<Core> {
  const { dataDir, databaseUrl, s3, logger, now, durability, startsEmpty } = settings;
  const store = await openStore({ dataDir, databaseUrl, s3, logger, now: now(), durability, startsEmpty });
  const remote = createGuardedFetch({ networks: settings.allowNetworks, ownHosts: hostsOf(addresses) });
  try {
    const account = await ensureAccount(store.database, newAccount(settings), now());
    const domains = await createDomains({ settings, addresses, database: store.database, now });
    // Comes last, since it works on the database from here on: what fails before it closes that.
    const { sender, jobs, requests } = startBackground(settings, { store, remote, accountId: account.id });
    const contextOf = createContextOf(settings, {
      addresses,
      remote,
      domains,
      blobs: store.blobs,
      database: store.database,
      reader: store.reader,
      wakeSender: () => sender.wake(),
      wakeSettler: () => settler.wake(),
      ...(settings.mail && { wakeMailer: () => mailer.wake() }),
    });
    const { database } = store;
    const isPaused = () => store.damage.found() !== undefined;
    const settler = createSettler({ database, contextOf, logger, now, isBackground: settings.background, isPaused });
    const { mail } = settings;
    const mailer = createMailQueue({ database, contextOf, logger, now, mail, isBackground: settings.background });
    const markdown = createMarkdownRenderer({ logger });
    const thumbnails = createThumbnails({ blobs: store.blobs, logger });
    const challenges = createChallenges(settings.strict ? undefined : addresses.appUrl);
    const handleKey: HandleKey = {
      hash: handleKeyHash,
      credential: {
        kind: "key",
        keyId: "handle",
        accountId: account.id,
        userId: null,
        scopes: null,
      },
    };
    return {
      settings,
      addresses,
      store,
      handlers,
      account,
      now,
      sender,
      requests,
      jobs,
      remote,
      domains,
      markdown,
      thumbnails,
      health: createHealth({ ...store, sendsMail: settings.mail !== undefined, logger: settings.logger }),
      challenges,
      authenticator: createAuthenticator({ database: store.database, handleKey, challenges }),
      uploads: createGate(MAX_UPLOADS),
      imports: createGate(MAX_IMPORTS),
      bundles: createGate(MAX_BUNDLES),
      rateLimiter: settings.rateLimit && createApiRateLimiter(settings.rateLimit, store.database),
      contextOf,
      settler,
      mailer,
      async close() {
        await domains.close();
        await settler.close();
        await sender.close();
        await mailer.close();
        await jobs.close();
        await requests.close();
        await remote.close();
        await markdown.close();
        await thumbnails.close();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw asStateError(error, dataDir ?? "a temporary folder");
  }
}

type Shared = Pick<
  Context,
  "addresses" | "remote" | "domains" | "blobs" | "database" | "reader" | "wakeSender" | "wakeSettler"
>;

function createContextOf({ plan, limits, quirks, random, now }: Settings, shared: Shared): Core["contextOf"] {
  const newId: Context["newId"] = (prefix) => createIdAt(now(), { prefix, random });
  return (accountId) => ({ ...shared, accountId, plan, limits, quirks, random, newId, now: now() });
}

function hostsOf({ appUrl, pagesUrl }: Addresses): readonly string[] {
  return [appUrl, pagesUrl].map((url) => new URL(url).hostname);
}

function newAccount({ random }: Settings): StoredAccount {
  return { id: createId("acc", random), name: "Imprint" };
}

interface BackgroundOptions extends Pick<Core, "store" | "remote"> {
  /** The account that requests without a key are noted for. */
  readonly accountId: string;
}

/** Starts what a service does beside answering requests. */
function startBackground(settings: Settings, { store, remote, accountId }: BackgroundOptions) {
  const { now, random, logger, retention, background: isBackground } = settings;
  const isPaused = () => store.damage.found() !== undefined;
  const shared = { database: store.database, logger, now, isBackground, isPaused };
  // A copy of the records that a test goes back to may name files that no record names any more.
  const sweepsBlobs = settings.dataDir !== undefined && !settings.dev;
  return {
    sender: createDeliveryQueue({ ...shared, remote, random }),
    jobs: createJobRunner({ ...shared, jobs: createJobs({ ...store, retention, sweepsBlobs }) }),
    requests: createRequestRecorder({
      ...shared,
      newId: () => createIdAt(now(), { prefix: "log", random }),
      defaultAccountId: accountId,
    }),
  };
}
