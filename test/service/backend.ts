/** Whether the suites run on PostgreSQL (`npm run test:postgres`), where there is no file of SQLite to look into. */
export const isOnPostgres = process.env["IMPRINT_TEST_DATABASE_URL"] !== undefined;
