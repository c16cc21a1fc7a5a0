import { describe } from "vitest";
import { isOnPostgres } from "../backend.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { testDayLimits } from "./day-limits.ts";

describe.skipIf(isOnPostgres)("in a day, on SQLite,", () => {
  testDayLimits(async () => ({ dataDir: await temporaryFolder() }));
});
