// Times are milliseconds since 1970; lists are JSON texts.

export interface RequestLogTable {
  readonly id: string;
  readonly account_id: string;
  readonly request_id: string;
  readonly method: string;
  readonly path: string;
  readonly route_set: "a" | "b" | null;
  readonly operation: string | null;
  readonly status: number;
  readonly ms: number;
  readonly key_id: string | null;
  readonly problem: string | null;
  readonly warnings: string;
  readonly created_at: number;
}

export interface JobTable {
  readonly name: string;
  readonly due_at: number;
  readonly lease: string | null;
  readonly lease_until: number | null;
  readonly last_started_at: number | null;
  readonly last_ms: number | null;
  readonly last_error: string | null;
}
