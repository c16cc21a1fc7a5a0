import * as z from "zod";

/** What `GET /readyz` answers. */
export const readinessSchema = z.object({
  status: z.enum(["ready", "not-ready", "damaged", "shutting-down"]),
  /** What repairs a damaged service. */
  fix: z.string().optional(),
  checks: z
    .object({
      database: z.enum(["ok", "failed", "damaged"]),
      files: z.enum(["ok", "failed"]),
      /** Only where the service sends mail; `delayed`: the mail server took none, and it is tried again. */
      mail: z.enum(["ok", "delayed"]).optional(),
    })
    .optional(),
});

export type Readiness = z.infer<typeof readinessSchema>;

/** How a damaged database is repaired, in a sentence that a stranger may read. */
export const RESTORE_HINT = "Restore a backup: stop the service, then run `imprint restore <file> --force`.";
