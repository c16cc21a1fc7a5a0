import { openStore } from "../../../src/service/store/open-store.ts";

const store = await openStore({ dataDir: process.argv[2] ?? "", now: new Date() });
await store.close();
