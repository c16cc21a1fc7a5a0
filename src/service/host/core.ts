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

/** The shared parts of a service. */
export interface Core {
  readonly settings: Settings;
  readonly addresses: Addresses;
  readonly store: Store;
  /** Operation handlers by name. */
  readonly handlers: Readonly<Record<string, AnyHandler>>;
  readonly account: StoredAccount;
  readonly authenticator: Authenticator;
  /** Challenges that show rejected clients where to get tokens. */
  readonly challenges: Challenges;
  readonly now: () => Date;
  /** Limits concurrent uploads, which are held in memory. */
  readonly uploads: Gate;
  /** Limits concurrent fetches from other hosts, which may be slow. */
  readonly imports: Gate;
  /** `undefined` disables rate limiting. */
  readonly rateLimiter: ApiRateLimiter | undefined;
  /** Limits concurrent uploads of release content, of which a publisher sends several. */
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
  /** Client for URLs from untrusted sources. */
  readonly remote: GuardedFetch;
  contextOf(accountId: string): Context;
  /** Ends background work, then closes the store. */
  close(): Promise<void>;
}

export interface CoreOptions extends Pick<Core, "addresses" | "handlers"> {
  /** SHA-256 of the handle's key. */
  readonly handleKeyHash: string;
}

const MAX_UPLOADS = 2;
const MAX_IMPORTS = 4;
const MAX_BUNDLES = 4;

/** Opens the store and everything based on it. Throws `STATE_UNWRITABLE` or `STATE_UNREADABLE`. */
export async function openCore(settings: Settings, { addresses, handlers, handleKeyHash }: CoreOptions): Promise<Core> {
  const { dataDir, databaseUrl, s3, logger, now, durability, startsEmpty } = settings;
  const store = await openStore({ dataDir, databaseUrl, s3, logger, now: now(), durability, startsEmpty });
  const remote = createGuardedFetch({ networks: settings.allowNetworks, ownHosts: hostsOf(addresses) });
  try {
    const account = await ensureAccount(store.database, newAccount(settings), now());
    const domains = await createDomains({ settings, addresses, database: store.database, now });
    // Last, since it uses the database from here on, and an earlier failure closes that.
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
  /** The account for logged requests without a key. */
  readonly accountId: string;
}

function startBackground(settings: Settings, { store, remote, accountId }: BackgroundOptions) {
  const { now, random, logger, retention, background: isBackground } = settings;
  const isPaused = () => store.damage.found() !== undefined;
  const shared = { database: store.database, logger, now, isBackground, isPaused };
  // A snapshot that a test restores may refer to files without other references.
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
