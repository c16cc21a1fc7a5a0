/** How many more requests a service accepts, according to one of its responses. */
export interface ReportedQuota {
  readonly left: number;
  /** Time until the reset, in milliseconds from the response. */
  readonly resetMs: number;
  /** Length of the window, if the service reports it. */
  readonly windowMs: number | undefined;
}

type Headers = ReadonlyMap<string, string>;

/**
 * Reads the limit that a service reports: `RateLimit` and `RateLimit-Policy` in the forms of the IETF drafts, or the
 * older `RateLimit-Remaining` and `X-RateLimit-Remaining`. Of several limits, the one with the lowest remaining count
 * is used. Returns `undefined` if nothing can be parsed.
 */
export function readQuota(headers: Headers): ReportedQuota | undefined {
  const quotas = [...readItems(headers), ...PREFIXES.map((prefix) => readSeparate(headers, prefix))];
  return quotas.filter((quota) => quota !== undefined).toSorted((one, other) => one.left - other.left)[0];
}

// `"default";r=12;t=30`, or in earlier drafts `limit=100, remaining=12, reset=30`.
function readItems(headers: Headers): readonly (ReportedQuota | undefined)[] {
  const text = headers.get("ratelimit") ?? "";
  const policies = splitItems(headers.get("ratelimit-policy") ?? "");
  if (/\bremaining=/.test(text)) return [quotaOf(parameter(text, "remaining"), parameter(text, "reset"))];
  return splitItems(text).map((item) => {
    const policy = policies.find((each) => nameOf(each) === nameOf(item)) ?? "";
    const quota = quotaOf(parameter(item, "r"), parameter(item, "t"));
    const windowSeconds = parameter(policy, "w");
    if (quota === undefined || windowSeconds === undefined) return quota;
    return { ...quota, windowMs: windowSeconds * 1000 };
  });
}

const PREFIXES = ["ratelimit", "x-ratelimit", "x-rate-limit"];

function readSeparate(headers: Headers, prefix: string): ReportedQuota | undefined {
  const reset = numberOf(headers.get(`${prefix}-reset`));
  return quotaOf(numberOf(headers.get(`${prefix}-remaining`)), secondsUntil(reset, headers.get("date")));
}

// Some services report the seconds until the end of the window, others its Unix time in seconds. The latter is compared
// with the `Date` of the same response, so that a wrong clock on this machine doesn't matter.
function secondsUntil(reset: number | undefined, date: string | undefined): number | undefined {
  if (reset === undefined || reset < FIRST_TIME) return reset;
  const sentAt = Date.parse(date ?? "");
  return Number.isNaN(sentAt) ? undefined : Math.max(0, reset - sentAt / 1000);
}

const FIRST_TIME = 1_000_000_000;

function quotaOf(left: number | undefined, seconds: number | undefined): ReportedQuota | undefined {
  if (left === undefined || seconds === undefined) return undefined;
  return { left, resetMs: seconds * 1000, windowMs: undefined };
}

function splitItems(header: string): readonly string[] {
  return header.split(",").map((item) => item.trim());
}

function nameOf(item: string): string {
  return item.split(";", 1)[0] ?? "";
}

function parameter(item: string, name: string): number | undefined {
  return numberOf(new RegExp(`(?:^|[;,\\s])${name}=(\\d+)`).exec(item)?.[1]);
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined || !/^\d+(?:\.\d+)?$/.test(text.trim()) ? undefined : Number(text);
}
