import { PROBLEMS } from "../../../contract/problems.ts";
import type { ProblemError } from "../../http/problem.ts";
import type { Scene } from "../scene.ts";
import { renderShell } from "./shell.tsx";

/** A page that says what could not be done, with the way back. */
export function explain(scene: Scene, problem: ProblemError, path: string): Response {
  const { status, title } = PROBLEMS[problem.code];
  const { detail, errors } = problem.details;
  const section = sectionOf(path);
  return renderShell(
    scene,
    { title: status === 404 ? "Not found" : "That was not possible", section, status },
    <>
      <p>{detail ?? title}</p>
      {errors !== undefined && (
        <ul>
          {errors.map((error) => (
            <li>
              <code>{error.pointer.split("/").at(-1)}</code> {error.detail}
            </li>
          ))}
        </ul>
      )}
      <p>
        <a href={section}>Go back</a>
      </p>
    </>,
  );
}

function sectionOf(path: string): string {
  const [, first = ""] = path.split("/", 2);
  return first === "edit" ? "/pages" : `/${first}`;
}
