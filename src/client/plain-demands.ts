// Frameworks name a field that is missing as a plain word: "category is required", "Category can't be blank". A sentence
// of prose may begin alike, so the whole clause must be such a demand.

const KIND = String.raw`(?:fields?|propert(?:y|ies)|param(?:eter)?s?|attributes?)`;
const NAME = String.raw`([a-z]\w*)`;

/** The name may have a capital in these, which nothing but validation says. */
const ANY_CASE = [
  String.raw`(?:the )?${NAME} (?:can't|cannot|can not|must not|may not) be (?:blank|empty|null)`,
  String.raw`(?:the )?${NAME}(?: field)? must be (?:present|set|given|provided|sent|filled)`,
  String.raw`(?:the )?${KIND} ${NAME} (?:is|was) (?:required|mandatory|missing|not (?:given|provided|present|sent))`,
  String.raw`the ${NAME} ${KIND} is (?:required|mandatory|missing)`,
  String.raw`(?:missing|required)(?: required| mandatory)? ${KIND}\W+${NAME}`,
].map((pattern) => new RegExp(`^${pattern}$`, "i"));

/** "Authentication is required" begins with a capital. */
const LOWERCASE = [new RegExp(String.raw`^${NAME} is (?:a )?(?:required|mandatory|missing)(?: field)?$`)];

const NO_FIELD =
  /^(?:it|this|that|which|one|there|name|value|field|parameter|property|attribute|input|data|body|payload|request|json|header|authentication|authorization|login|payment|subscription|plan|upgrade|permission|password|token|key|confirmation)$/i;

/** Returns the names of the fields that a message demands in plain words. */
export function plainDemands(text: string): readonly string[] {
  const clauses = text.split(/[.;!?,](?:\s+|$)|\n/).map((clause) => clause.trim());
  // "Validation failed: Category can't be blank"
  const parts = clauses.flatMap((clause) => [clause, clause.replace(/^[^:]*:\s+/, "")]);
  const names = parts.flatMap((part) =>
    [...ANY_CASE, ...LOWERCASE].flatMap((pattern) => pattern.exec(part)?.[1] ?? []),
  );
  return [...new Set(names.filter((name) => !NO_FIELD.test(name)).map(inLowercase))];
}

/** `Category` is a word, and `categoryId` a name. */
function inLowercase(name: string): string {
  return /^[A-Z][a-z]*$/.test(name) ? name.toLowerCase() : name;
}
