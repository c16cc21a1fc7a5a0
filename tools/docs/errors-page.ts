import { ERRORS } from "../../src/base/error.ts";

export function renderErrorsPage(): string {
  const sections = Object.entries(ERRORS).map(([code, { title, fix }]) => `## ${code}\n\n${title}\n\n${fix}\n`);
  return `# Errors

Every error has a permanent code, a title, a message with the details, and a remedy. Astro shows it as an Astro error with a hint;
the command line exits with code 1, or 2 for invalid usage or options. \`npm run docs\` writes this page from
\`src/base/error.ts\`.

${sections.join("\n")}`;
}
