import { readUnreadTexts } from "../resources/asset-uses.ts";
import { endPastDays } from "../resources/beacon.ts";
import { tidyReleases } from "../resources/release-retention.ts";
import { DAY_MS, HOUR_MS, startOfDay } from "../resources/time-range.ts";
import type { Retention } from "../host/options.ts";
import { forgetAuditEntries } from "../store/audit.ts";
import { forgetMails } from "../store/mails.ts";
import type { Blobs } from "../store/blobs.ts";
import type { DatabaseCheck } from "../store/check-database.ts";
import { forgetWorkingCopies } from "../store/editing.ts";
import { forgetSubmissions } from "../store/submissions.ts";
import { forgetLoggedRequests, forgetRateWindows, forgetRequests, idempotencyDeadlines } from "../store/requests.ts";
import { deleteExpiredOAuth } from "../store/oauth.ts";
import { forgetHistory } from "../store/webhooks.ts";
import { findRow } from "../store/rows.ts";
import { createSlices, forgetExpired, type Slices } from "../store/slices.ts";
import type { Database } from "../store/tables.ts";
import { countEarlierViews } from "../store/views-by-day.ts";
import { sumEarlierVisits } from "../store/sum-visits.ts";
import { forgetStats } from "../store/forget-stats.ts";
import { BLOB_SWEEP, type Job } from "./runner.ts";

export interface JobContext {
  readonly database: Database;
  readonly isLogLong: () => boolean;
  readonly blobs: Blobs;
  readonly retention: Required<Retention>;
  /** Whether unreferenced files are deleted. A snapshot that a test restores may refer to them. */
  readonly sweepsBlobs: boolean;
  readonly check: DatabaseCheck | undefined;
}

const MAX_LOGGED_REQUESTS = 100_000;
const WORKING_COPY_DAYS = 90;

/** Creates the service's cleanup jobs. */
export function createJobs({ database, isLogLong, blobs, retention, sweepsBlobs, check }: JobContext): readonly Job[] {
  const { requestLogDays, eventDays, submissionDays, statsDays, auditDays } = retention;
  const inSlices =
    (work: (slices: Slices, now: Date) => Promise<void>): Job["run"] =>
    (now, closing) =>
      work(createSlices({ database, isLogLong, closing }), now);
  const hourly = (name: string, run: Job["run"]): Job => ({ name, everyMs: HOUR_MS, run });
  const daily = (name: string, run: Job["run"]): Job => ({ name, everyMs: DAY_MS, run });
  const sweepBlobs: Job["run"] = async (now, closing) => {
    const isUsed = async (hash: string) => {
      closing.throwIfAborted();
      return (await findRow(database, "asset", { hash })) !== undefined;
    };
    await blobs.sweep(isUsed, now);
  };
  const jobs: readonly (Job | undefined)[] = [
    hourly("visitor-days", inSlices(endPastDays)),
    hourly("views-by-day", inSlices(countEarlier)),
    hourly("asset-uses", (_, closing) => readUnreadTexts({ database, blobs }, closing)),
    hourly("rate-windows", inSlices(forgetRateWindows)),
    hourly(
      "idempotency-keys",
      inSlices((slices, now) => forgetRequests(slices, idempotencyDeadlines(now))),
    ),
    hourly(
      "sessions",
      inSlices(async (slices, now) => {
        await forgetExpired(slices, "session", now);
        await forgetExpired(slices, "signInLink", now);
        await forgetWorkingCopies(slices, daysBefore(now, WORKING_COPY_DAYS));
      }),
    ),
    hourly(
      "preview-links",
      inSlices((slices, now) => forgetExpired(slices, "previewLink", now)),
    ),
    hourly("oauth", inSlices(deleteExpiredOAuth)),
    hourly("releases", inSlices(tidyReleases)),
    hourly(
      "request-log",
      inSlices(async (slices, now) => {
        const before = requestLogDays === null ? undefined : daysBefore(now, requestLogDays);
        await forgetLoggedRequests(slices, { before, keep: MAX_LOGGED_REQUESTS });
      }),
    ),
    eventDays === null
      ? undefined
      : hourly(
          "webhook-history",
          inSlices((slices, now) => forgetHistory(slices, daysBefore(now, eventDays))),
        ),
    submissionDays === null
      ? undefined
      : hourly(
          "submissions",
          inSlices((slices, now) => forgetSubmissions(slices, daysBefore(now, submissionDays))),
        ),
    statsDays === null
      ? undefined
      : daily(
          "stats",
          inSlices((slices, now) => forgetStats(slices, startOfDay(now) - statsDays * DAY_MS)),
        ),
    eventDays === null
      ? undefined
      : daily(
          "mail",
          inSlices((slices, now) => forgetMails(slices, daysBefore(now, eventDays))),
        ),
    auditDays === null
      ? undefined
      : daily(
          "audit-log",
          inSlices((slices, now) => forgetAuditEntries(slices, daysBefore(now, auditDays))),
        ),
    sweepsBlobs ? daily(BLOB_SWEEP, sweepBlobs) : undefined,
    check && { ...daily("database-check", (_, closing) => check.run(closing)), isDueNow: check.isDueNow },
  ];
  return jobs.filter((job) => job !== undefined);
}

async function countEarlier(slices: Slices): Promise<void> {
  await countEarlierViews(slices);
  await sumEarlierVisits(slices);
}

function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS);
}
