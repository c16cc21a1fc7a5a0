import { ERRORS } from "../../src/base/error.ts";

export function renderErrorsPage(): string {
  const sections = Object.entries(ERRORS).map(([code, { title, fix }]) => `## ${code}\n\n${title}\n\n${fix}\n`);
  return `# Errors

Every error has a permanent code, a sentence that says what it is, a message that says what happened to what, and a
remedy. In Astro it is shown as an Astro error with a hint; on the command line with exit code 1, or 2 when the call
or the options were wrong. This page is written from \`src/base/error.ts\` by \`npm run docs\`.

${sections.join("\n")}`;
}
