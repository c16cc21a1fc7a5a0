/** What a message is about, for logs that machines read. Never holds a secret. */
export type LogFields = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/**
 * Where a run says what it does. Astro's integration logger fits as it is: it leaves out the fields, and every message
 * is understood without them.
 */
export interface Logger {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
}

export const SILENT_LOGGER: Logger = {
  info() {},
  warn() {},
  error() {},
  debug() {},
};
