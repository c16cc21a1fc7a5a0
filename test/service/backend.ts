/** Whether the tests run on PostgreSQL (`npm run test:postgres`), without a SQLite file to inspect. */
export const isOnPostgres = process.env["IMPRINT_TEST_DATABASE_URL"] !== undefined;
