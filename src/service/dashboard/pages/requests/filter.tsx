import { freshForm } from "../../form-state.ts";
import { ChoiceField, TextField } from "../../parts/fields.tsx";
import type { RequestFilter } from "../../../store/request-log.ts";
import type { DashboardContext } from "../../scene.ts";

/** What the page lets people choose from. */
type ShownRequests = Pick<RequestFilter, "outcome" | "method" | "routeSet" | "path" | "requestId">;

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** What the address asks for; anything that there is not is left out. */
export function readFilter({ req }: DashboardContext): ShownRequests {
  return {
    outcome: (["success", "problem"] as const).find((each) => each === req.query("outcome")),
    method: METHODS.find((each) => each === req.query("method")),
    routeSet: (["a", "b"] as const).find((each) => each === req.query("routeSet")),
    path: textOf(req.query("path")),
    requestId: textOf(req.query("requestId")),
  };
}

function textOf(given: string | undefined): string | undefined {
  const text = given?.trim() ?? "";
  return text === "" ? undefined : text;
}

export function RequestsForm({ filter }: { readonly filter: ShownRequests }) {
  const state = freshForm(
    Object.fromEntries(Object.entries(filter).map(([name, value]): [string, string] => [name, value ?? ""])),
  );
  return (
    <form method="get" class="filter narrow">
      <ChoiceField
        state={state}
        name="outcome"
        label="Answer"
        options={[
          ["", "any"],
          ["success", "success"],
          ["problem", "problem"],
        ]}
      />
      <ChoiceField
        state={state}
        name="method"
        label="Method"
        options={[["", "any"], ...METHODS.map((method) => [method, method] as const)]}
      />
      <ChoiceField
        state={state}
        name="routeSet"
        label="Route set"
        options={[
          ["", "both"],
          ["a", "A"],
          ["b", "B"],
        ]}
      />
      <TextField state={state} name="path" label="Path contains" />
      <TextField state={state} name="requestId" label="Request id" />
      <button type="submit" class="quiet">
        Show
      </button>
    </form>
  );
}
