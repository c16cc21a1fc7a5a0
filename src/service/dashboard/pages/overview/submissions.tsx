import type { Submission } from "../../../store/submissions.ts";
import { Badge, Time } from "../../parts/values.tsx";

const MAX_LENGTH = 160;

/** What visitors sent last. */
export function LatestSubmissions({ submissions }: { readonly submissions: readonly Submission[] }) {
  if (submissions.length === 0) return <></>;
  return (
    <section aria-labelledby="messages">
      <h2 id="messages">Latest messages</h2>
      <ul class="plain-list">
        {submissions.map((submission) => (
          <li>
            <Time at={submission.createdAt} />{" "}
            <a href={`/forms/${submission.formId}/${submission.id}`}>{submission.email ?? submission.pageSlug}</a>{" "}
            {submission.lead && <Badge mood="good">new contact</Badge>}{" "}
            <span class="soft">{excerptOf(submission)}</span>
          </li>
        ))}
      </ul>
      <p>
        <a href="/forms">All forms</a>
      </p>
    </section>
  );
}

function excerptOf({ fields, email }: Submission): string {
  const texts = fields.flatMap(([, value]) => (typeof value === "string" ? [value] : value));
  const text = texts.filter((each) => each.toLowerCase() !== email).join(" · ");
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}
