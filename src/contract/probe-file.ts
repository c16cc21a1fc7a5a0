// `imprint doctor` uploads tiny files to find out how a library serves them, and deletes them again.

/** Name of a probe file: it includes the hash of the bytes, by which a later probe finds it again. */
export function probeFileName(hash: string, ending: string): string {
  return `imprint-probe.${hash.slice(0, 16)}.${ending}`;
}

const MAX_BYTES = 1000;

/** Whether a file is a probe file: nobody needs to know that it was deleted. */
export function isProbeFile({
  name,
  hash,
  size,
}: {
  readonly name: string;
  readonly hash: string;
  readonly size: number;
}) {
  return size <= MAX_BYTES && name === probeFileName(hash, name.split(".").at(-1) ?? "");
}
