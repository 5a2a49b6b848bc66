/** Normalizes a transcript: removes the differences between spellings that a recognizer may choose. */
export function plainWords(text: string): string {
  return text
    .toLowerCase()
    .replace(/\bno\. /g, 'number ')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
}

/**
 * The word error rate: the share of expected words that are missing, changed or added. 0 means that every
 * word is correct.
 */
export function wordErrorRate(expected: string, heard: string): number {
  const wanted = plainWords(expected).split(' ')
  const got = plainWords(heard).split(' ')
  let previous = Array.from({ length: got.length + 1 }, (_, column) => column)
  for (const [row, word] of wanted.entries()) {
    const current = [row + 1]
    for (const [column, other] of got.entries()) {
      const changed = (previous[column] ?? 0) + (word === other ? 0 : 1)
      current.push(Math.min(changed, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1))
    }
    previous = current
  }
  return (previous.at(-1) ?? 0) / wanted.length
}
