import type { LogoFinding, LogoKind } from "../findings.ts";

/** A picture that could be the logo, before it was read. */
export interface LogoCandidate extends Omit<LogoFinding, "contentType"> {
  readonly contentType?: string;
}

/** A candidate that is a file. */
export function candidateOf(
  kind: LogoKind,
  address: string,
  finding: Pick<LogoFinding, "confidence" | "evidence">,
): LogoCandidate {
  return { kind, source: { kind: "address", address }, width: null, height: null, alt: null, ...finding };
}

/** The same for two candidates that show the same picture. */
export function keyOf({ source }: Pick<LogoCandidate, "source">): string {
  return source.kind === "svg" ? source.text : source.address;
}
