import type * as z from "zod";

interface PointerError {
  readonly pointer: string;
  readonly detail: string;
}

/** What a schema found wrong, with a JSON Pointer to each place. */
export function pointerErrors(error: z.ZodError, root: "/body" | "/query"): readonly PointerError[] {
  return error.issues.slice(0, 50).flatMap((issue) => {
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => ({ pointer: pointerTo(root, [...issue.path, key]), detail: "is not known" }));
    }
    return [{ pointer: pointerTo(root, issue.path), detail: issue.message }];
  });
}

function pointerTo(root: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (pointer, step) => `${pointer}/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`,
    root,
  );
}
