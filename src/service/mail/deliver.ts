import type { Transporter } from "nodemailer";
import { messageOf } from "../../base/error.ts";
import { withdrawSignInLink } from "../auth/sessions.ts";
import { createQueue, type Queue, type QueueOptions } from "../jobs/queue.ts";
import type { Context } from "../resources/context.ts";
import { claimMail, type Mail } from "../store/mails.ts";
import { type Changes, endClaim, findRow } from "../store/rows.ts";
import type { Database } from "../store/tables.ts";
import { evaluateAttempt } from "../webhooks/schedule.ts";
import { composeMail } from "./compose.ts";
import type { MailOptions } from "./mail-options.ts";

export interface MailQueueOptions extends QueueOptions {
  readonly database: Database;
  /** `undefined` sends nothing; waiting mails stay. */
  readonly mail: MailOptions | undefined;
  contextOf(accountId: string): Context;
}

const SOCKET_TIMEOUT_MS = 20_000;
const LOOPBACK: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Creates a queue that sends mails through a mail server, with the retry schedule of webhooks: an outage loses nothing.
 */
export function createMailQueue(options: MailQueueOptions): Queue<Mail> {
  const { database, mail } = options;
  let opening: Promise<Transporter> | undefined;
  const queue = createQueue(
    {
      name: "Sending mail",
      pollMs: 5000,
      leaseMs: 6 * SOCKET_TIMEOUT_MS,
      listGroups: async () => (mail === undefined ? [] : [""]),
      async runNext(turn) {
        if (mail === undefined) return undefined;
        const claimed = await claimMail(database, turn);
        if (claimed === undefined) return undefined;
        opening ??= openTransport(mail);
        const set = await attempt(options, claimed, { transport: await opening, from: mail.from });
        await endClaim(database, "mail", { claim: { id: claimed.id, token: turn.lease.token }, set });
        return claimed;
      },
    },
    options,
  );
  return {
    ...queue,
    async close() {
      await queue.close();
      (await opening)?.close();
    },
  };
}

// Loaded only if mail is sent.
async function openTransport({ smtpUrl }: MailOptions): Promise<Transporter> {
  const { createTransport } = await import("nodemailer");
  const { protocol, hostname, port, username, password } = new URL(smtpUrl);
  const secure = protocol === "smtps:";
  return createTransport({
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (secure ? 465 : 587) : Number(port),
    secure,
    ...(username !== "" && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    // Passwords are sent unencrypted to this machine only.
    requireTLS: username !== "" && !LOOPBACK.includes(hostname),
    connectionTimeout: SOCKET_TIMEOUT_MS,
    greetingTimeout: SOCKET_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    // Mails never attach files or URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Attempts to send a mail and returns the fields to record. Never throws for errors of the mail server. */
async function attempt(
  { database, contextOf, now, logger, mail: settings }: MailQueueOptions,
  mail: Mail,
  { transport, from }: { readonly transport: Transporter; readonly from: string },
): Promise<Changes<"mail">> {
  const attempts = mail.attempts + 1;
  const user = await findRow(database, "accountUser", { id: mail.userId });
  const composed = user?.email ? await composeMail(contextOf(mail.accountId), mail, user) : undefined;
  if (user?.email === undefined || user.email === null || composed === undefined) {
    return { status: "failed", finishedAt: now(), lastError: "The subject of this mail no longer exists." };
  }
  try {
    await transport.sendMail({ from, to: { name: user.name, address: user.email }, ...composed.content });
    return { status: "sent", attempts, finishedAt: now(), lastError: null };
  } catch (error) {
    // The next attempt creates a new link.
    if (composed.signInUrl !== undefined) await withdrawSignInLink(database, composed.signInUrl);
    const lastError = withoutPassword(messageOf(error), settings);
    logger.warn(`Mail ${mail.id} was not sent: ${lastError}`, { event: "mail" });
    const verdict = evaluateAttempt(
      { attempts, status: isRefusedForGood(error) ? 410 : undefined, retryAfter: undefined },
      { now: now(), chance: 0.5 },
    );
    if (verdict.kind === "again") return { attempts, lastError, dueAt: verdict.at };
    return { status: "failed", attempts, lastError, finishedAt: now() };
  }
}

/** Whether the mail server rejects the recipient for good; other errors can be fixed. */
function isRefusedForGood(error: unknown): boolean {
  const { code, responseCode } = Object(error);
  return code === "EENVELOPE" && typeof responseCode === "number" && responseCode >= 500;
}

function withoutPassword(text: string, mail: MailOptions | undefined): string {
  const { password = "" } = mail === undefined ? {} : new URL(mail.smtpUrl);
  const secrets = [password, decodeURIComponent(password)].filter((secret) => secret !== "");
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, "…"), text).slice(0, 500);
}
