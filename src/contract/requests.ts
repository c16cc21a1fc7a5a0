import * as z from "zod";
import { extensionRecord, id, textOrNull, timestamp } from "./fields.ts";

/** A request to the API and its result. */
export const requestRecord = extensionRecord("LoggedRequest", () => ({
  id,
  createdAt: timestamp.meta({ title: "Time", description: "When the request arrived." }),
  requestId: z.string().meta({ title: "Request ID", description: "The `X-Request-Id` of the response." }),
  method: z.string().meta({ title: "Method", description: "HTTP method." }),
  path: z.string().meta({ title: "Path", description: "Path without the query." }),
  routeSet: z.enum(["a", "b"]).nullable().meta({ title: "Route set", description: "Route set; null for neither." }),
  operation: textOrNull.meta({ title: "Operation", description: "Name of the operation; null for an unknown route." }),
  status: z.int().meta({ title: "Result", description: "HTTP status; 0 if no response was sent." }),
  ms: z.number().meta({ title: "Duration", description: "How long the response took, in milliseconds." }),
  keyId: textOrNull.meta({ title: "Caller", description: "ID of the key or session; null for none." }),
  problem: textOrNull.meta({ title: "Problem", description: "Code of the problem; null for a success." }),
  warnings: z.array(z.string()).meta({ title: "Warnings", description: "Problems that didn't fail the request." }),
}));

/** Results of requests. */
export const REQUEST_OUTCOMES = ["success", "problem"] as const;

export type RequestOutcome = (typeof REQUEST_OUTCOMES)[number];

export type RequestRecord = z.infer<typeof requestRecord.full>;
