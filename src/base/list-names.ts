const AND = new Intl.ListFormat("en");

/** Lists all names: `a, b, and c`. */
export function listNames(names: readonly string[]): string {
  return AND.format(names);
}

const OR = new Intl.ListFormat("en-GB", { type: "disjunction" });

/** Lists all choices: `a, b or c`. */
export function listChoices(choices: readonly string[]): string {
  return OR.format(choices);
}

const MOST = 5;

/** Lists the first names, and how many others there are: `a, b and 3 more`. */
export function listFirstNames(names: readonly string[], most = MOST): string {
  const first = names.slice(0, most).join(", ");
  return names.length > most ? `${first} and ${names.length - most} more` : first;
}
