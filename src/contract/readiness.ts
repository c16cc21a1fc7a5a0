import * as z from "zod";

/** Response of `GET /readyz`. */
export const readinessSchema = z.object({
  status: z.enum(["ready", "not-ready", "damaged", "shutting-down"]),
  /** How to repair a damaged service. */
  fix: z.string().optional(),
  checks: z
    .object({
      database: z.enum(["ok", "failed", "damaged"]),
      files: z.enum(["ok", "failed"]),
      /** Only if the service sends mail; `delayed`: the mail server accepted none, and the service retries. */
      mail: z.enum(["ok", "delayed"]).optional(),
    })
    .optional(),
});

export type Readiness = z.infer<typeof readinessSchema>;

/** How to repair a damaged database, in a sentence that may be public. */
export const RESTORE_HINT = "Restore a backup: stop the service, then run `imprint restore <file> --force`.";
