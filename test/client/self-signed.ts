import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A certificate for 127.0.0.1 and imprint.test, only for these tests, that must be trusted explicitly. */
export const SELF_SIGNED = {
  key: readFixture("self-signed-key.pem"),
  cert: readFixture("self-signed-certificate.pem"),
};

/** Path of the certificate, for NODE_EXTRA_CA_CERTS. */
export const SELF_SIGNED_FILE = fileURLToPath(addressOf("self-signed-certificate.pem"));

function readFixture(name: string): string {
  return readFileSync(addressOf(name), "utf8");
}

function addressOf(name: string): URL {
  return new URL(`../fixtures/client/${name}`, import.meta.url);
}
