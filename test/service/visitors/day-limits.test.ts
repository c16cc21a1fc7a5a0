import { describe } from "vitest";
import { isOnPostgres } from "../backend.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { testDayLimits } from "./day-limits.ts";

describe.skipIf(isOnPostgres)("daily limits on SQLite:", () => {
  testDayLimits(async () => ({ dataDir: await temporaryFolder() }));
});
