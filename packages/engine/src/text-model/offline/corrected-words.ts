const opening =
  /^\W*(?:(?:no|nope|nah|sorry|wait|actually|oops|hold on|i mean|i meant|correction|rather|not|well|oh|hmm?|my mistake)\b[\s,.!:-]*)+/i
const closing = /[\s,]*\b(?:instead|rather|i (?:meant|mean)|i (?:meant|mean) to say|actually)\b[\s.!?]*$/i
const maxWords = 12

/** What somebody says in place of what was said before; null where nothing is taken back. */
export function correctedWords(words: string): string | null {
  if (words.split(/\s+/).length > maxWords) return null
  // "Not London, Paris": the second is meant.
  const replaced = /^\W*(?:no\W+)?not [^,.;]+[,.;]\s*(?:but\s+)?(.+)$/i.exec(words)?.[1]
  if (replaced !== undefined) return replaced.trim()
  const without = words.replace(opening, '').replace(closing, '')
  const rest = without.replace(
    /^(?:make (?:it|that)|change (?:it|that) to|it (?:is|was|should be)|i said|for|the)\s+(?=\S)/i,
    (word) => (/^(?:for|the)\s/i.test(word) ? word : ''),
  )
  const isTakenBack = without !== words || rest !== words
  return isTakenBack && rest.trim() !== '' ? rest.trim() : null
}
