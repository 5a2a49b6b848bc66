import { readRequest } from './read-request.js'

/** Words of complaints. */
export const trouble =
  /\b(?:broken?|lost|stolen|late|missing|wrong|damaged|problem|error|fail(?:s|ed)?|stuck|dead|down|\w*aches?|pain|hurts?|terrible|awful|horrible|bad|worse|worst|sick|ill|fever|bleed\w*|limp\w*|swollen|hate|loud|nois[ey]\w*|leak\w*|accident|angry|annoy\w*|disappoint\w*|delayed)\b/i

/** Returns whether a clause of a message complains, as in "I have a headache, what should I take?" */
export function isInTrouble(words: string): boolean {
  const clauses = words.split(/[.,;!?]\s*|\b(?:and|so)\b/)
  return clauses.some((clause) => readRequest(clause).kind === 'statement' && trouble.test(clause))
}
