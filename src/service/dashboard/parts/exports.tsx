import type { Child } from "hono/jsx";

/** A file that the browser saves, sent in pieces; its name has no ending yet. */
export function csvResponse(text: Iterable<string> | AsyncIterable<string>, name: string): Response {
  return new Response(ReadableStream.from(text).pipeThrough(new TextEncoderStream()), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8; header=present",
      "Content-Disposition": `attachment; filename="${name}.csv"`,
      "Cache-Control": "private, no-store",
    },
  });
}

/** A button that saves such a file. */
export function ExportLink({ to, children }: { readonly to: string; readonly children: Child }) {
  return (
    <a class="button quiet" href={to} download>
      {children}
    </a>
  );
}
