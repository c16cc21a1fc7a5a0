import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "s3rver";
import type { S3Options } from "../../src/service.ts";

export interface S3Server {
  readonly options: S3Options;
  close(): Promise<void>;
}

/** Starts S3-compatible storage on the loopback with one bucket, in a temporary folder. */
export async function startS3(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), "imprint-s3-"));
  const configureBuckets = [{ name: "imprint" }];
  const server = new S3rver({ address: "127.0.0.1", port: 0, silent: true, directory, configureBuckets });
  const { port } = await server.run();
  return {
    options: {
      endpoint: `http://127.0.0.1:${port}`,
      bucket: "imprint",
      // The credentials of s3rver.
      ...{ accessKeyId: "S3RVER", secretAccessKey: "S3RVER" },
    },
    async close() {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
