import type { KeptText } from "../../resources/editing.ts";
import { Time } from "../parts/lists.tsx";

interface KeptNoticeProps {
  readonly path: string;
  /** The unsaved edits in the form. */
  readonly copy: KeptText | undefined;
  /** Unsaved edits in other windows. */
  readonly others: readonly KeptText[];
}

/** Shows which edits are unsaved, in this window and others. */
export function KeptNotice({ path, copy, others }: KeptNoticeProps) {
  return (
    <>
      {copy !== undefined && (
        <p id="desk-unsaved" class="notice" role="status">
          You have unsaved changes from <Time at={copy.savedAt} />.{" "}
          <button type="submit" form="desk" formaction={`${path}/discard`} formnovalidate class="quiet">
            Discard them
          </button>{" "}
          <a href={`${path}?copy=`}>Open without them</a>
        </p>
      )}
      {others.length > 0 && (
        <p id="desk-others" class="notice">
          You have {copy !== undefined && "other "}unsaved text:
          {others.map(({ copyId, savedAt }) => (
            <>
              {" "}
              <a href={`${path}?copy=${copyId}`}>
                From <Time at={savedAt} />
              </a>
            </>
          ))}
        </p>
      )}
    </>
  );
}
