import { ImprintError } from "../base/error.ts";
import { listNames } from "../base/list-names.ts";
import { findDemanded, refusalOf, type Writer } from "./learner.ts";

interface SentRecord {
  /** Name for people: `post`. */
  readonly label: string;
  /** All fields that may be sent, under all of their names. */
  readonly fields: readonly string[];
  /** What else its author can do. */
  readonly otherwise?: string | undefined;
}

/** Lets a writer say that no option sends a field which a host demands, and which isn't one of the record's. */
export function explainDemands<Content>(
  writer: Writer<Content>,
  describe: (content: Content) => SentRecord,
): Writer<Content> {
  return {
    send: (content, attempt) =>
      writer.send(content, attempt).catch((error: unknown) => {
        throw withAdvice(error, describe(content));
      }),
  };
}

function withAdvice(error: unknown, { label, fields, otherwise = "" }: SentRecord): unknown {
  const refusal = refusalOf(error);
  if (refusal === undefined || !(error instanceof ImprintError)) return error;
  const demanded = findDemanded(fields, refusal);
  if (demanded.length === 0) return error;
  const [names, them] = [listNames(demanded.map((name) => `"${name}"`)), demanded.length === 1 ? "it" : "them"];
  const hint = `The service requires ${names} of a ${label}. imprint doesn't send ${them}, and no option adds ${them}: give ${them} a default in the service's dashboard, or ask the service to make ${them} optional.${otherwise}`;
  return new ImprintError(error.code, error.message, { cause: error.cause, hint });
}
