// Generates texts for posts: plausible English, and reproducible from a seed on every machine.

import type { Random } from "./random.ts";

const NOUNS =
  `harbor bicycle lantern kettle orchard ledger ferry workshop saddle notebook chimney garden loaf engine map lens ladder
barrel violin window basket river bridge compass clay mill tower tide rope anchor letter print press type paper ink pigment
brush canvas easel frame sculpture studio kiln glaze bowl plate spoon oven recipe yeast rye barley honey hive meadow fence
gate path trail summit ridge valley glacier cabin stove blanket boot sock glove scarf coat button thread needle loom cloth
dye wool sheep dog horse cart wheel spoke tire pump valve brake cable lever spring gear chain crank pedal frame fork
server deploy cache index query column table backup invoice budget price plan team hire meeting agenda roadmap release bug
patch branch review editor font margin grid color contrast photo camera shutter tripod negative archive shelf cellar attic`
    .split(/\s+/)
    .filter((word, index, all) => all.indexOf(word) === index);
const ADJECTIVES =
  `quiet narrow early late heavy light bright pale rough smooth honest careful cheap costly broken patient wooden iron
copper woven hollow shallow deep northern southern coastal urban rural ancient modern plain ornate stubborn gentle sudden slow
quick warm cold damp dry spare second third annual weekly unusual common tidy muddy dusty sturdy fragile generous modest`.split(
    /\s+/,
  );
const VERBS =
  `carried repaired painted measured replaced borrowed counted sorted tested printed folded sold opened closed moved
watched trimmed polished rebuilt recorded cleaned heated cooled weighed traced copied delivered planted gathered boiled sanded
patched shipped compared explained ignored refused praised rented planned postponed`.split(/\s+/);
const PLACES =
  `Lindenhof Bergen Porto Tallinn Trieste Aarhus Leith Galway Bruges Ghent Turku Riga Gdansk Split Cadiz Bilbao Nantes
Brest Rostock Malmo Visby Umea Bodo Skagen Husum Emden Whitby Oban Ayr Cork`.split(/\s+/);

/** The vocabulary of one author in one post. */
export interface Vocabulary {
  readonly nouns: readonly string[];
  readonly adjectives: readonly string[];
  readonly verbs: readonly string[];
  readonly places: readonly string[];
}

export function drawVocabulary(random: Random): Vocabulary {
  return {
    nouns: random.some(NOUNS, 24),
    adjectives: random.some(ADJECTIVES, 12),
    verbs: random.some(VERBS, 10),
    places: random.some(PLACES, 3),
  };
}

const SENTENCES = [
  "The {adjective} {noun} was {verb} before the {noun} came back from {place}",
  "We {verb} every {noun} twice, since the {adjective} one had cost us a {noun} last year",
  "Nobody in {place} remembers who {verb} the {adjective} {noun} first",
  "After lunch we {verb} a {noun}, and the {noun} beside it stayed {adjective}",
  "It takes a {adjective} {noun} and an hour to see why the {noun} has to be {verb}",
  "My neighbor {verb} the {noun}, which made the {adjective} {noun} look worse than it is",
  "There were {number} of them on the {noun}, all {adjective}, and only one was ever {verb}",
  "If you ask for a {noun} in {place}, they bring you a {adjective} {noun} and a smile",
  "What we {verb} in spring was a {adjective} {noun}; what we have today is a *{noun}*",
  "A {noun} that is {verb} too often turns {adjective}, and then the {noun} goes as well",
  "She {verb} the {noun} from {place} for {number} days without a single {adjective} {noun}",
  "The rule is simple: a {adjective} {noun} first, then the {noun}, and the {noun} last",
] as const;

/** Returns a word for a `{slot}` of a sentence. */
function fill(slot: string, words: Vocabulary, random: Random): string {
  const lists: Readonly<Record<string, readonly string[]>> = {
    noun: words.nouns,
    adjective: words.adjectives,
    verb: words.verbs,
    place: words.places,
  };
  return slot === "number" ? String(random.between(2, 60)) : random.pick(lists[slot] ?? words.nouns);
}

function fillAll(pattern: string, words: Vocabulary, random: Random): string {
  return pattern.replace(/\{(\w+)\}/g, (_, slot: string) => fill(slot, words, random));
}

export function writeParagraph(words: Vocabulary, random: Random): string {
  const sentences = Array.from(
    { length: random.between(2, 5) },
    () => `${fillAll(random.pick(SENTENCES), words, random)}.`,
  );
  return sentences.join(" ");
}

/** Generates blocks of Markdown with 100 to 400 words in total; the first and the last are always paragraphs. */
export function writeBody(words: Vocabulary, random: Random): readonly string[] {
  const blocks = Array.from({ length: random.between(3, 6) }, () => writeParagraph(words, random));
  const heading = `## The ${fillAll("{adjective} {noun}", words, random)}`;
  const list = Array.from({ length: 3 }, () => `- ${fillAll("a {adjective} {noun} from {place}", words, random)}`);
  if (random.chance(0.5)) blocks.splice(1, 0, heading);
  if (random.chance(0.3)) blocks.splice(-1, 0, list.join("\n"));
  return blocks;
}

const TITLES = [
  "The {adjective} {noun} of {place}",
  "Notes on the {adjective} {noun}",
  "How we {verb} the {noun} in {place}",
  "A {noun} for every {adjective} {noun}",
  "Why the {noun} is {adjective}",
  "{number} days with a {adjective} {noun}",
] as const;

export function writeTitle(words: Vocabulary, random: Random): string {
  const title = fillAll(random.pick(TITLES), words, random);
  return title.charAt(0).toUpperCase() + title.slice(1);
}

/** Generates a name for a file or a slug. */
export function writeName(words: Vocabulary, random: Random): string {
  return fillAll(random.pick(["{adjective}-{noun}", "our-{noun}", "{noun}-and-{noun}", "the-{noun}"]), words, random);
}

const OPENING =
  "Hello everyone, and welcome to the notes of this week. As always, this is what we did, what went wrong, and what comes next.";
const CLOSING = "That was the week. Write to us if something is missing, and see you next Friday at the usual place.";

/** Generates weekly notes, which all start and end alike. */
export function writeWeek(words: Vocabulary, random: Random): readonly string[] {
  return [
    OPENING,
    ...Array.from({ length: random.between(1, 3) }, () => writeParagraph(words, random)),
    "## Next week",
    writeParagraph(words, random),
    CLOSING,
  ];
}

/** Replaces one word of a text with another of the same vocabulary. */
export function changeWord(block: string, words: Vocabulary, random: Random): string {
  const known = [...words.nouns, ...words.adjectives];
  const found = [...block.matchAll(/[a-z]+/g)].filter(([word]) => known.includes(word));
  const match = found[random.between(0, Math.max(0, found.length - 1))];
  if (match === undefined) return `${block} Really.`;
  const others = known.filter((word) => word !== match[0]);
  return block.slice(0, match.index) + random.pick(others) + block.slice(match.index + match[0].length);
}
