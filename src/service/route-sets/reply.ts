import type { RecordContract } from "../../contract/fields.ts";

/** What a handler answers, before a route set gives it its form. */
export type Reply =
  | {
      readonly kind: "record";
      readonly status: 200 | 201;
      /** All fields of the record, by the names of the wire. */
      readonly record: Readonly<Record<string, unknown>>;
      /**
       * Fields that this answer alone shows. They are never kept to be sent again, so the answer to a repeated
       * request with an idempotency key is without them.
       */
      readonly shownOnce?: Readonly<Record<string, string>>;
      /** Only for reading one record. */
      readonly etag?: string;
      /** Absolute, or relative to the route set's base address; for 201. */
      readonly location?: string;
      /** Only these fields, where the route set answers less than its records hold. */
      readonly only?: readonly string[];
    }
  | {
      readonly kind: "list";
      readonly status: 200 | 201;
      readonly items: readonly Readonly<Record<string, unknown>>[];
      /** `undefined`: the answer has no paging data at all. */
      readonly nextCursor?: string | null;
      /** What the items are, where the contract describes the answer as plain JSON. */
      readonly record?: RecordContract;
      /** Only these fields of each item. */
      readonly fields?: readonly string[] | undefined;
    }
  | { readonly kind: "json"; readonly status: 200; readonly body: Readonly<Record<string, unknown>> }
  | {
      readonly kind: "document";
      readonly status: 200;
      /** A stream where the document may be larger than memory should hold. */
      readonly bytes: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
      readonly headers: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: "not-modified";
      readonly etag: string;
      /** Those of the whole answer: a browser gives what it has kept the headers that come with this one. */
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: "empty"; readonly status: 204 };

/** A reply as it may be kept to be sent again. */
export function withoutSecrets<Kept extends Reply>(reply: Kept): Kept {
  return reply.kind === "record" ? { ...reply, shownOnce: {} } : reply;
}
