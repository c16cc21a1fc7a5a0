import { ENDPOINT, type Ask, type PageState, type Problem, type WorkView } from "../messages.ts";

/** The dev server's response, with the fields for the kind of request. */
interface Reply {
  readonly state?: PageState;
  readonly work?: WorkView;
  readonly open?: string;
  readonly token?: string;
  readonly problem?: Problem;
  readonly error?: string;
}

/** What the dev server said instead of answering. */
class Refusal extends Error {}

/** Sends requests about the page on screen to the dev server; passes problems to `showProblem`. */
export function createAsker(showProblem: (problem: Problem | undefined) => void) {
  let token: string | undefined;

  async function send(kind: Ask["kind"], seen?: number): Promise<Reply> {
    const ask: Ask = { kind, path: location.pathname, ...(token && { token }), ...(seen !== undefined && { seen }) };
    const headers = { "Content-Type": "application/json" };
    const response = await fetch(ENDPOINT, { method: "POST", headers, body: JSON.stringify(ask) });
    const answer: Reply = await response.json();
    if (answer.error !== undefined) throw new Refusal(answer.error);
    return answer;
  }

  return async (kind: Ask["kind"], seen?: number): Promise<Reply | undefined> => {
    try {
      token ??= (await send("hello")).token;
      const answer = await send(kind, seen);
      showProblem(answer.problem);
      return answer;
    } catch (error) {
      // A restarted dev server has another token.
      token = undefined;
      const why = error instanceof Error ? error.message : String(error);
      showProblem({ message: error instanceof Refusal ? why : `The dev server doesn't respond: ${why}` });
      return undefined;
    }
  };
}
