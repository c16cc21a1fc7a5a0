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
