// What is counted of visitors.

export interface VisitorSaltTable {
  readonly day: number;
  readonly salt: Uint8Array;
}

export interface VisitorSeenTable {
  readonly scope: string;
  readonly day: number;
  readonly visitor: Uint8Array;
  readonly hour: number;
}

export interface VisitorCountTable {
  readonly scope: string;
  readonly hour: number;
  readonly visitors: number;
}

export interface OpenViewTable {
  readonly id: string;
  readonly page_id: string;
  readonly version: number;
  readonly device: string;
  readonly hour: number;
  readonly depth: number | null;
  readonly seconds: number;
  readonly clicks: number;
  readonly last_message: number;
}

export interface ViewHourTable {
  readonly page_id: string;
  readonly version: number;
  readonly hour: number;
  readonly device: string;
  readonly views: number;
  readonly reads: number;
  readonly seconds: number;
  readonly depth: number;
  readonly clicks: number;
}

export interface ReferrerDayTable {
  readonly page_id: string;
  readonly day: number;
  readonly host: string;
  readonly views: number;
}

export interface ScrollDayTable {
  readonly page_id: string;
  readonly day: number;
  readonly version: number;
  readonly device: string;
  readonly depth: number;
  readonly views: number;
}

export interface ClickCellDayTable {
  readonly page_id: string;
  readonly day: number;
  readonly version: number;
  readonly device: string;
  readonly cell_x: number;
  readonly cell_y: number;
  readonly clicks: number;
}

export interface ClickElementDayTable {
  readonly page_id: string;
  readonly day: number;
  readonly version: number;
  readonly device: string;
  readonly selector: string;
  readonly clicks: number;
}

export interface PageLayoutTable {
  readonly page_id: string;
  readonly version: number;
  readonly device: string;
  readonly height: number;
}
