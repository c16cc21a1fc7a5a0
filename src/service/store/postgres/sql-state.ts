/** Returns the SQLSTATE of a PostgreSQL error (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
export function sqlStateOf(error: unknown): string | undefined {
  const isFromPostgres = error instanceof Error && "severity" in error && "code" in error;
  return isFromPostgres && typeof error.code === "string" ? error.code : undefined;
}

/** Whether PostgreSQL is temporarily unable to run this: shutting down, out of connections, or timed out. */
export function isOutage(state: string): boolean {
  return OUTAGES.has(state) || /^(?:08|57P|58)/.test(state);
}

// too_many_connections, query_canceled (the statement timeout), lock_not_available, read_only_sql_transaction (a standby),
// idle_in_transaction_session_timeout
const OUTAGES: ReadonlySet<string> = new Set(["53300", "57014", "55P03", "25006", "25P03"]);

/** Whether a prepared statement became invalid; the same statement works without a name. */
export function isStalePlan(state: string | undefined): boolean {
  return state !== undefined && STALE_PLANS.has(state);
}

// "cached plan must not change result type" (feature_not_supported) after another version altered a table, and
// invalid_sql_statement_name if a connection pooler switches connections
const STALE_PLANS: ReadonlySet<string> = new Set(["0A000", "26000"]);

export function isInFailedTransaction(state: string | undefined): boolean {
  return state === "25P02";
}

/** Whether a transaction lost to a concurrent one and can be retried. */
export function isLostRace(state: string | undefined): boolean {
  return state !== undefined && LOST_RACES.has(state);
}

// foreign_key_violation, unique_violation, serialization_failure, deadlock_detected
const LOST_RACES: ReadonlySet<string> = new Set(["23503", "23505", "40001", "40P01", ...STALE_PLANS]);
