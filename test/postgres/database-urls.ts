import { randomUUID } from "node:crypto";

/** The server that the run started. */
export function serverUrl(): string {
  const url = process.env["IMPRINT_TEST_DATABASE_URL"];
  if (url === undefined) throw new Error("Run this with `npm run test:postgres`.");
  return url;
}

/** A schema of the server that nobody uses. */
export function freshSchemaUrl(): string {
  return `${serverUrl()}?schema=test_${randomUUID().replaceAll("-", "")}`;
}
