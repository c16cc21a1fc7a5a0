import { randomUUID } from "node:crypto";
import { AwsClient } from "aws4fetch";
import { ImprintError, messageOf, systemCodeOf } from "../../base/error.ts";
import { sha256 } from "../../base/hash.ts";
import { hashOf, SWEEP_AGE_MS, type BlobPart, type Blobs } from "./blobs.ts";
import type { S3Options } from "./s3-options.ts";
import { StoreLostError } from "./store-lost-error.ts";

export interface S3Blobs extends Blobs {
  /** Removes the objects of an ephemeral service. */
  close(): Promise<void>;
}

interface Bucket {
  /** Sends a request for an object, or for the bucket if the key is empty. Throws `StoreLostError` for an outage. */
  ask(method: string, key: string, request?: BucketRequest): Promise<Response>;
}

interface BucketRequest {
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer>;
}

/**
 * Opens a bucket of an S3-compatible storage. Throws `STORAGE_UNREACHABLE` if it doesn't exist or the key has no
 * access.
 *
 * @param isEphemeral uses a temporary prefix whose objects `close` removes
 */
export async function openS3Blobs(
  options: S3Options,
  { isEphemeral }: { readonly isEphemeral: boolean },
): Promise<S3Blobs> {
  const prefix = `${options.prefix ?? ""}${isEphemeral ? `${randomUUID()}/` : ""}`;
  const bucket = createBucket(options);
  await checkBucket(bucket, options);

  async function sweep(isUsed: (hash: string) => Promise<boolean>, before: number): Promise<void> {
    for await (const { name, changedAt } of listBlobs(bucket, prefix)) {
      if (changedAt >= before || (await isUsed(hashOf(name)))) continue;
      // It may have been stored again since it was listed.
      const { headers } = await bucket.ask("HEAD", prefix + name);
      if (Date.parse(headers.get("Last-Modified") ?? "") < before) await bucket.ask("DELETE", prefix + name);
    }
  }

  return {
    async write(hash, bytes) {
      // Writes existing blobs as well: this resets their age, so that no sweep deletes them before their record exists.
      const headers = {
        "Content-Type": "application/octet-stream",
        "X-Amz-Content-Sha256": hash === hashOf(hash) ? hash : sha256(bytes),
      };
      expectOk(await bucket.ask("PUT", prefix + hash, { body: new Uint8Array(bytes), headers }));
    },
    async read(hash) {
      const response = expectOk(await bucket.ask("GET", prefix + hash));
      return new Uint8Array(await response.arrayBuffer());
    },
    async open(hash, part) {
      const response = expectOk(await bucket.ask("GET", prefix + hash, { headers: rangeOf(part) }));
      return response.body ?? new Uint8Array();
    },
    sweep: (isUsed, now) => sweep(isUsed, now.getTime() - SWEEP_AGE_MS),
    async close() {
      if (isEphemeral) await sweep(async () => false, Number.POSITIVE_INFINITY);
    },
  };
}

const RESPONSE_TIMEOUT_MS = 30_000;
const RETRIES = 2;

function createBucket({ endpoint, bucket, region = "us-east-1", accessKeyId, secretAccessKey }: S3Options): Bucket {
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3", retries: RETRIES });
  const base = `${endpoint.replace(/\/+$/, "")}/${encodeURIComponent(bucket)}`;
  return {
    async ask(method, key, { query = {}, headers = {}, body } = {}) {
      const path = key.split("/").map(encodeURIComponent).join("/");
      const parameters = new URLSearchParams(query).toString();
      const url = `${base}${path === "" ? "" : `/${path}`}${parameters === "" ? "" : `?${parameters}`}`;
      const waiting = new AbortController();
      const timer = setTimeout(() => waiting.abort(), RESPONSE_TIMEOUT_MS);
      try {
        const response = await client.fetch(url, { method, headers, body: body ?? null, signal: waiting.signal });
        if (response.status < 500 && response.status !== 429) return response;
        throw new Error(`HTTP status ${response.status}.`);
      } catch (error) {
        throw new StoreLostError("The file storage doesn't respond.", { cause: error });
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

async function checkBucket(bucket: Bucket, { endpoint, bucket: name }: S3Options): Promise<void> {
  const where = `The bucket "${name}" at ${endpoint} can't be used`;
  const found = await bucket.ask("HEAD", "").catch((error) => {
    const { cause } = error instanceof StoreLostError ? error : { cause: error };
    throw new ImprintError("STORAGE_UNREACHABLE", `${where}: ${systemCodeOf(cause) ?? messageOf(cause)}`, { cause });
  });
  if (!found.ok) throw new ImprintError("STORAGE_UNREACHABLE", `${where}: HTTP status ${found.status}.`);
}

function expectOk(response: Response): Response {
  if (response.ok) return response;
  const error = new Error(`The file storage returned HTTP status ${response.status}.`);
  // Same error code as in a folder.
  throw response.status === 404 ? Object.assign(error, { code: "ENOENT" }) : error;
}

function rangeOf(part: BlobPart | undefined): Readonly<Record<string, string>> {
  return part === undefined ? {} : { Range: `bytes=${part.start}-${part.end}` };
}

interface ListedBlob {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

async function* listBlobs(bucket: Bucket, prefix: string): AsyncGenerator<ListedBlob> {
  let token: string | undefined;
  do {
    const query = { ...listQuery(prefix), ...(token !== undefined && { "continuation-token": token }) };
    const list = await expectOk(await bucket.ask("GET", "", { query })).text();
    for (const [, entry = ""] of list.matchAll(/<Contents>([^]*?)<\/Contents>/g)) {
      const [, name] = /<Key>[^<]*?([0-9a-f]{64}(?:-[a-z0-9-]+)?)<\/Key>/.exec(entry) ?? [];
      const changedAt = Date.parse(/<LastModified>([^<]*)</.exec(entry)?.[1] ?? "");
      if (name !== undefined) yield { name, changedAt };
    }
    token = /<NextContinuationToken>([^<]*)</.exec(list)?.[1];
  } while (token !== undefined);
}

// The delimiter excludes subfolders, which belong to others.
function listQuery(prefix: string): Readonly<Record<string, string>> {
  return { "list-type": "2", prefix, delimiter: "/" };
}
