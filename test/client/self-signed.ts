import { readFileSync } from "node:fs";

/** A certificate that nobody trusts, made for these tests only. */
export const SELF_SIGNED = {
  key: readFixture("self-signed-key.pem"),
  cert: readFixture("self-signed-certificate.pem"),
};

function readFixture(name: string): string {
  return readFileSync(new URL(`../fixtures/client/${name}`, import.meta.url), "utf8");
}
