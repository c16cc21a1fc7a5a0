// A kit names a family without its style. These words stand in the names of the serif fonts that sites use most; a name
// that is not known counts as sans serif.
const SERIF =
  /\b(?:serif|slab|antiqua|garamond|baskerville|caslon|bodoni|didot|georgia|times|cambria|palatino|charter|literata|lora|merriweather|playfair|newsreader|fraunces|spectral|crimson|cormorant|cardo|vollkorn|alegreya|bitter|arvo|gelasio|libre caslon|source serif|noto serif|pt serif|ibm plex serif|roboto slab|zilla|domine|gilda|young serif|instrument serif|tiempos|lyon|guardian|et-book|et book|constantia|iowan|superclarendon|clarendon|bookman|rockwell|p052|century)\b/i;

/** Whether a family's name speaks for letters with serifs, to choose what stands in for it. */
export function looksSerif(family: string): boolean {
  return SERIF.test(family) && !/\bsans\b/i.test(family);
}
