import { sql } from "kysely";
import { claimDue, countRows, type ClaimRequest, selectRows } from "./rows.ts";
import { deleteInSlices, type Slices } from "./slices.ts";
import type { Database } from "./tables.ts";

/** A queued or finished mail. Its text is rendered on sending. */
export interface Mail {
  readonly id: string;
  readonly accountId: string;
  readonly userId: string;
  readonly kind: "sign-in" | "invitation" | "submission";
  /** The submission's id, or the path that a sign-in link opens. */
  readonly subjectId: string | null;
  readonly status: "pending" | "sent" | "failed";
  readonly attempts: number;
  readonly dueAt: Date;
  readonly lease: string | null;
  readonly leaseUntil: Date | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  readonly lastError: string | null;
}

export async function claimMail(database: Database, claim: ClaimRequest): Promise<Mail | undefined> {
  return await claimDue(database, "mail", { ...claim, where: sql`status = 'pending'` });
}

/** Returns the oldest mail that is waiting for another attempt. */
export async function findDelayedMail(database: Database): Promise<Mail | undefined> {
  const waiting = selectRows(database, "mail", { status: "pending" }).selectAll().where("attempts", ">", 0);
  return await waiting.orderBy("createdAt").limit(1).executeTakeFirst();
}

/** Returns the number of waiting mails and the last failure. */
export async function describeMails(database: Database) {
  const failed = database.selectFrom("mail").selectAll().where("attempts", ">", 0).where("lastError", "is not", null);
  return {
    waiting: await countRows(database, "mail", { status: "pending" }),
    lastFailure: await failed.orderBy("createdAt", "desc").orderBy("id", "desc").limit(1).executeTakeFirst(),
  };
}

/** Deletes mails that finished before a time. */
export async function forgetMails(slices: Slices, before: Date): Promise<void> {
  await deleteInSlices(slices, "mail", { key: ["id"], where: sql`finished_at < ${before}` });
}
