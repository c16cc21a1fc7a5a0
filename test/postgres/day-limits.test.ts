import { describe } from "vitest";
import { temporaryFolder } from "../service/temporary-folder.ts";
import { testDayLimits } from "../service/visitors/day-limits.ts";
import { freshSchemaUrl } from "./servers.ts";

describe("daily limits on PostgreSQL:", () => {
  testDayLimits(async () => ({ dataDir: await temporaryFolder(), databaseUrl: freshSchemaUrl() }));
});
