/** A bucket of an S3-compatible storage, addressed as `<endpoint>/<bucket>/<key>`. */
export interface S3Options {
  /** Such as `https://s3.eu-central-1.amazonaws.com` or `http://127.0.0.1:9000`. */
  readonly endpoint: string;
  /** The bucket, which must exist. */
  readonly bucket: string;
  /** The region that requests are signed for. @default "us-east-1" */
  readonly region?: string | undefined;
  readonly accessKeyId: string;
  /** Never written to any log. */
  readonly secretAccessKey: string;
  /** Prefix of all keys, such as `imprint/`. @default "" (the whole bucket) */
  readonly prefix?: string | undefined;
}
