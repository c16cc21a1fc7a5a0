/** Structured fields of a message, for logs that machines read. Never contains a secret. */
export type LogFields = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/**
 * Receives a run's messages. Astro's integration logger can be used directly: it ignores the fields, and every message
 * is clear without them.
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
