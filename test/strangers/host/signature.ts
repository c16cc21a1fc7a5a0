import { createHmac, randomBytes } from "node:crypto";
import type { LibraryDialect } from "../dialect.ts";
import type { PassingClock } from "../../passing-clock.ts";

// The host's own secret.
const SECRET = randomBytes(16);

/** Signs the address of a file. */
export function signAddress(path: string, signs: LibraryDialect["signs"], clock: Pick<PassingClock, "now">): string {
  if (signs === "nothing") return path;
  const until = clock.now().getTime() + signs.seconds * 1000;
  const nonce = randomBytes(4).toString("hex");
  const signature = `${nonce}${sign(path, until, nonce)}`;
  const { as, seconds } = signs;
  if (as === "in-path") return path.replace("/files/", `/files/~${until}.${signature}/`);
  if (as === "unnamed") return `${path}?k=${until}.${signature}`;
  if (as === "exp-sig") return `${path}?exp=${Math.ceil(until / 1000)}&sig=${until}.${signature}`;
  const date = new Date(until - seconds * 1000).toISOString().replace(/[-:]|\.\d+/g, "");
  return `${path}?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=${date}&X-Amz-Expires=${seconds}&X-Amz-Signature=${until}.${signature}`;
}

/** Whether a host serves a file at an address. */
export function isSigned(
  { pathname: path, searchParams }: URL,
  signs: LibraryDialect["signs"],
  clock: Pick<PassingClock, "now">,
): boolean {
  if (signs === "nothing" || !signs.asks) return true;
  const pathname = withoutToken(path);
  const field = { unnamed: "k", "exp-sig": "sig", amazon: "X-Amz-Signature" };
  const text = signs.as === "in-path" ? TOKEN.exec(path)?.[1] : searchParams.get(field[signs.as]);
  const [until = "", signature = ""] = text?.split(".") ?? [];
  const nonce = signature.slice(0, 8);
  return signature.slice(8) === sign(pathname, Number(until), nonce) && Number(until) > clock.now().getTime();
}

const TOKEN = /^\/files\/~([^/]+)/;

export function withoutToken(path: string): string {
  return path.replace(TOKEN, "/files");
}

function sign(path: string, until: number, nonce: string): string {
  return createHmac("sha256", SECRET).update(`${path} ${until} ${nonce}`).digest("hex");
}
