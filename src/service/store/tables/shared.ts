interface RateWindowTable {
  readonly caller: string;
  readonly ends_at: number;
  readonly requests: number;
}

/** What several processes on one database have to know of each other. */
export interface SharedTables {
  readonly rate_window: RateWindowTable;
}
