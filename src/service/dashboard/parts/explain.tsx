import { PROBLEMS } from "../../../contract/problems.ts";
import type { ProblemError } from "../../http/problem.ts";
import { acceptsJson } from "../../http/messages.ts";
import type { DashboardContext } from "../context.ts";
import { detailOf } from "../forms.ts";
import { findSection } from "../paths.ts";
import { Message } from "./lists.tsx";
import { renderPage } from "./page.tsx";

/** Renders a page that explains a problem; for scripts, only its sentence, and whether signing in would help. */
export function explain(context: DashboardContext, problem: ProblemError): Response {
  const { status, title } = PROBLEMS[problem.code];
  const [detail, errors] = [detailOf(problem), problem.details.errors ?? []];
  if (acceptsJson(context.req.raw)) {
    const signIn = problem.details.members?.["signIn"] === true;
    return Response.json({ problem: detail ?? title, signIn }, { status });
  }
  return renderPage(
    context,
    { title: status === 404 ? "Not found" : status < 500 ? "This isn’t possible" : "Something went wrong", status },
    <>
      <p>
        <Message text={detail ?? title} />
      </p>
      {status >= 500 && (
        <p>
          Try again in a moment. If the problem persists, look for request <code>{context.env.requestId}</code> in the
          service’s log.
        </p>
      )}
      {errors.length > 0 && (
        <ul>
          {errors.map((error) => (
            <li>
              <code>{error.pointer.split("/").at(-1)}</code> <Message text={error.detail} />
            </li>
          ))}
        </ul>
      )}
      <p>
        <a href={findSection(context.req.path)?.path ?? "/"}>Go back</a>
      </p>
    </>,
  );
}
