import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { S3Options } from "../../src/service.ts";

const s3Schema = z.object({
  endpoint: z.string(),
  bucket: z.string(),
  accessKeyId: z.string(),
  secretAccessKey: z.string(),
});

/** Returns the PostgreSQL server that the run started. */
export function serverUrl(): string {
  return started("IMPRINT_TEST_DATABASE_URL");
}

/** Returns an unused schema of the server. */
export function freshSchemaUrl(): string {
  return `${serverUrl()}?schema=test_${randomUUID().replaceAll("-", "")}`;
}

/** Returns the bucket that the run created. */
export function bucket(): S3Options {
  return s3Schema.parse(JSON.parse(started("IMPRINT_TEST_S3")));
}

/** Returns the bucket with an unused prefix. */
export function freshBucket(): S3Options {
  return { ...bucket(), prefix: `${randomUUID()}/` };
}

function started(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error("Run this with `npm run test:postgres`.");
  return value;
}
