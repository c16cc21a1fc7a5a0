/** Where an error was found: a file on disk, with a 1-based line and column if known. */
export interface ErrorLocation {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

export interface ImprintErrorOptions {
  readonly cause?: unknown;
  readonly location?: ErrorLocation;
  /** Replaces the general fix of the code with a specific one. */
  readonly hint?: string;
}

/**
 * The only error class that users see.
 *
 * `code` is permanent and listed in `docs/errors.md`; `message` describes what happened; `hint` says what to do next.
 * No message ever contains a key or a token.
 */
export class ImprintError extends Error {
  override readonly name = "ImprintError";
  readonly code: ErrorCode;
  /** One sentence that applies to every error with this code. */
  readonly title: string;
  readonly hint: string;
  readonly location: ErrorLocation | undefined;

  constructor(code: ErrorCode, message: string, options: ImprintErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.title = ERRORS[code].title;
    this.hint = options.hint ?? ERRORS[code].fix;
    this.location = options.location;
  }

  /** The service's package contains its own copy of this class, so errors are recognized by name. */
  static override [Symbol.hasInstance](thrown: unknown): thrown is ImprintError {
    return thrown instanceof Error && thrown.name === "ImprintError";
  }
}

/** Returns the message of any thrown value, for use in another message. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Returns the message of any thrown value for a log, after the file where the error is, if known. */
export function placedMessageOf(thrown: unknown): string {
  const file = thrown instanceof ImprintError ? thrown.location?.file : undefined;
  return file === undefined ? messageOf(thrown) : `${file}: ${messageOf(thrown)}`;
}

/** Returns the system error code (`ENOSPC`, `ECONNREFUSED`, …) of a thrown value or of one of its causes. */
export function systemCodeOf(thrown: unknown): string | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if ("code" in error && typeof error.code === "string" && !(error instanceof ImprintError)) return error.code;
  }
  return undefined;
}

/**
 * Every error that a user can see: its permanent code, what it means, and what to do. `docs/errors.md` is generated
 * from this table, and a test compares the two.
 */
export const ERRORS = {
  OPTIONS_INVALID: {
    title: "An option is invalid.",
    fix: "Correct the options in the message; `npx imprint explain options` lists them all.",
  },
  USAGE: {
    title: "Invalid usage.",
    fix: "Run `imprint --help`, or `imprint <command> --help`.",
  },
  KEY_MISSING: {
    title: "No API key was found.",
    fix: "Set IMPRINT_API_KEY in the environment or in a `.env` file that is not committed, or run `imprint login`.",
  },
  KEY_MALFORMED: {
    title: "The API key is malformed.",
    fix: "Copy the key from the service's dashboard again: a character is missing or wrong.",
  },
  KEY_REJECTED: {
    title: "The service rejected the API key.",
    fix: "Check that the key belongs to this service, isn't revoked, and has the scopes in the message.",
  },
  KEY_LIMITED: {
    title: "The API key is not allowed to publish.",
    fix: "In the service's dashboard, allow the key to write pages, files, and sites, or create a key that may. If it already may, check the account's plan.",
  },
  LOGIN_EXPIRED: {
    title: "The login has expired.",
    fix: "Log in again with `imprint login`, or set IMPRINT_API_KEY.",
  },
  LOGIN_FAILED: {
    title: "The login failed.",
    fix: "Run `imprint login` again, and approve the request on the page that opens.",
  },
  LOGIN_LIMITED: {
    title: "The login is not allowed to do this.",
    fix: "Run `imprint login` again and keep the scope selected. To manage keys, webhooks, and users, and to read the request log, set IMPRINT_API_KEY.",
  },
  LOGIN_UNSUPPORTED: {
    title: "The service doesn't support logins.",
    fix: "Set IMPRINT_API_KEY to a key from the service's dashboard.",
  },
  PLAN_REQUIRED: {
    title: "The account's plan doesn't include this.",
    fix: "Upgrade the account's plan, or use a key for another account.",
  },
  AREA_REFUSED: {
    title: "The service refuses or lacks a part of the API, such as blogs.",
    fix: "Check the account's plan and the key's permissions on the service. imprint still publishes everything that doesn't need that part.",
  },
  SERVICE_MISSING: {
    title: "The embedded service is not installed.",
    fix: "Install `astro-imprint-service` in the project, in the same version as `astro-imprint`.",
  },
  SERVICE_UNREACHABLE: {
    title: "The service could not be reached.",
    fix: "Check the address in `service` and the network, and that the service is running (`imprint serve` starts one on this machine).",
  },
  SERVICE_WRONG_ADDRESS: {
    title: "A server responds at this address, but it isn't the service.",
    fix: "Correct the address in `service`. It must not include `/api`.",
  },
  SERVICE_FAILED: {
    title: "The service failed.",
    fix: "Run again: finished work isn't repeated. If this persists, give the request ID to the service's operator.",
  },
  SERVICE_DOWN: {
    title: "The service fails on every write.",
    fix: "Run again later: finished work isn't repeated.",
  },
  NOT_LIVE: {
    title: "The service accepted a change, but doesn't show it.",
    fix: "Run again to resend it. If this persists, ask the service's operator.",
  },
  SERVICE_REFUSED: {
    title: "The service rejected the request.",
    fix: "Fix the problem in the message, and run again. Published content is kept.",
  },
  RESPONSE_UNREADABLE: {
    title: "Unreadable response from the service.",
    fix: "Run again. If this persists, check whether a proxy between you and the service changes responses.",
  },
  NOT_SUPPORTED: {
    title: "This route set can't do that.",
    fix: "Use the other route set if the service offers it, or do it in the service's dashboard.",
  },
  RATE_LIMITED: {
    title: "Rate limited: the requested delay exceeds the maximum wait.",
    fix: "Run again later; finished work is kept.",
  },
  VERSION_MISMATCH: {
    title: "Someone else changed this during the run.",
    fix: "Run again to plan against the current version.",
  },
  DIST_MISSING: {
    title: "There is no built site to publish.",
    fix: "Run `astro build` first, or name the folder: `imprint publish <dist>`.",
  },
  DIST_EMPTY: {
    title: "The built site has no pages.",
    fix: "Check that the site has prerendered pages; on-demand pages can't be published.",
  },
  DIST_UNFINISHED: {
    title: "The build did not finish.",
    fix: "Run `astro build` again; a half-written folder is never published.",
  },
  SLUG_TAKEN: {
    title: "Two pages have the same slug.",
    fix: "Give one of them another slug in the `slugs` option.",
  },
  SLUG_HELD: {
    title: "Another project has published pages under these slugs to the account.",
    fix: 'Give this site slugs of its own with `slugs: { prefix: "docs" }`, or take the pages over with `adopt: true` (`--adopt`).',
  },
  SLUG_INVALID: {
    title: "A slug has characters that the service doesn't accept.",
    fix: "Use lowercase letters, digits and single or double hyphens, at most 96 characters.",
  },
  PAGE_TOO_LARGE: {
    title: "A page is larger than the service accepts.",
    fix: "Split the page, or move large inline content into files.",
  },
  PAGE_UNREADABLE: {
    title: "A file of the built site can't be read.",
    fix: "Check that it is UTF-8, or declares its encoding, and that you have permission to read it. You can leave a page out with `exclude`.",
  },
  ASSET_MISSING: {
    title: "A page uses a file that is missing from the built site.",
    fix: "Add the file, or fix the address at the location in the message.",
  },
  ASSET_TOO_LARGE: {
    title: "A file is larger than the service accepts.",
    fix: "Make the file smaller, or host it elsewhere and link to it.",
  },
  IMAGE_BROKEN: {
    title: "An image can't be decoded.",
    fix: "Replace the file with one that an image viewer opens.",
  },
  POST_INVALID: {
    title: "A post's front matter is incomplete or invalid.",
    fix: "Fix the file at the line in the message.",
  },
  POST_SLUG_TAKEN: {
    title: "Two posts have the same slug.",
    fix: "Give one of them its own `slug` in the front matter.",
  },
  POST_DUPLICATE: {
    title: "The blog contains a post more than once, or may contain it.",
    fix: "Look at the blog in the service's dashboard. If it shows the post more than once, keep one, and delete the others there: the API can't delete posts.",
  },
  POST_UNCERTAIN: {
    title: "It is unknown whether a post was published.",
    fix: "Run again in a few minutes: imprint checks whether the post exists before it resends it.",
  },
  POST_PAGE_MISSING: {
    title: "A post links to a page that could not be published.",
    fix: "Fix the problem reported for the page, and run again.",
  },
  STORAGE_UNREACHABLE: {
    title: "The service can't use its database or bucket.",
    fix: "Check the address, that the server is running, and that the user or key can write there. The message says what failed.",
  },
  STATE_UNWRITABLE: {
    title: "The local state can't be written.",
    fix: "Free up disk space, and check the permissions of the folder in the message. Nothing is lost.",
  },
  LOCK_COPIED: {
    title: "imprint.lock.json belongs to another site.",
    fix: "If this is another site, delete imprint.lock.json and the folder .imprint. If you renamed it, set `package` in imprint.lock.json to the new name.",
  },
  STATE_UNREADABLE: {
    title: "The local state can't be read.",
    fix: "If a newer version of astro-imprint wrote it, update. Otherwise, delete the file: it is rebuilt from the service.",
  },
  BACKUP_DAMAGED: {
    title: "The backup is damaged.",
    fix: "Use another backup. Nothing was changed.",
  },
  BACKUP_INCOMPLETE: {
    title: "The backup could not be written.",
    fix: "Free up disk space or choose another location, then run again. No incomplete backup is left behind.",
  },
  RESTORE_REFUSED: {
    title: "There is already a service in that location.",
    fix: "Restore into an empty folder, or use `--force`, which moves the existing service to a folder beside it.",
  },
  PORT_TAKEN: {
    title: "Another program uses the service's port.",
    fix: "Stop it, or choose other ports with `--port` and `--pages-port`.",
  },
  PRUNE_REFUSED: {
    title: "The run would delete more pages than allowed.",
    fix: "Check that the build is complete. To delete the pages, raise `maxDeleteShare` for one run.",
  },
  PLAN_OUTDATED: {
    title: "The site or the service has changed since the plan was made.",
    fix: "Make a new plan with `imprint plan --out plan.json` and review it.",
  },
  USES_UNKNOWN: {
    title: "The service doesn't show which files are in use.",
    fix: "Delete files in the service's dashboard.",
  },
  RUN_LOCKED: {
    title: "Another run is publishing this project.",
    fix: "Wait until it has finished.",
  },
  RUN_INCOMPLETE: {
    title: "The run stopped before everything was published.",
    fix: "Run again to continue: finished work isn't repeated.",
  },
  BROWSER_MISSING: {
    title: "No browser was found to verify pages.",
    fix: "Install playwright-core in the project, or omit `=browser` after `--verify`.",
  },
  WEBHOOK_INVALID: {
    title: "The request is not a webhook of the service.",
    fix: "Respond with 400 and do nothing. If it should be one, check the secret, the clock, and that you use the body exactly as received.",
  },
  ABORTED: {
    title: "The run was interrupted.",
    fix: "Run again to continue: finished work isn't repeated.",
  },
} as const satisfies Record<string, { readonly title: string; readonly fix: string }>;

export type ErrorCode = keyof typeof ERRORS;
