import { ENDPOINT, type Ask, type PageState, type Problem, type WorkView } from "../messages.ts";

/** What the dev server answers: that of what was asked. */
interface Reply {
  readonly state?: PageState;
  readonly work?: WorkView;
  readonly open?: string;
  readonly token?: string;
  readonly problem?: Problem;
  readonly error?: string;
}

/** Asks the dev server about the page on screen; what stands in the way is given to `showProblem`. */
export function createAsker(showProblem: (problem: Problem | undefined) => void) {
  let token: string | undefined;

  async function send(kind: Ask["kind"], seen?: number): Promise<Reply> {
    const ask: Ask = { kind, path: location.pathname, ...(token && { token }), ...(seen !== undefined && { seen }) };
    const headers = { "Content-Type": "application/json" };
    const response = await fetch(ENDPOINT, { method: "POST", headers, body: JSON.stringify(ask) });
    const answer: Reply = await response.json();
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer;
  }

  return async (kind: Ask["kind"], seen?: number): Promise<Reply | undefined> => {
    try {
      token ??= (await send("hello")).token;
      const answer = await send(kind, seen);
      showProblem(answer.problem);
      return answer;
    } catch (error) {
      // A dev server that was restarted gives another token.
      token = undefined;
      const why = error instanceof Error ? error.message : String(error);
      showProblem({ message: `The dev server doesn't answer: ${why}` });
      return undefined;
    }
  };
}
