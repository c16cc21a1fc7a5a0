interface JobTable {
  readonly name: string;
  readonly next_at: number;
}

interface RateWindowTable {
  readonly caller: string;
  readonly ends_at: number;
  readonly requests: number;
}

/** What several processes on one database have to know of each other. */
export interface SharedTables {
  readonly job: JobTable;
  readonly rate_window: RateWindowTable;
}
