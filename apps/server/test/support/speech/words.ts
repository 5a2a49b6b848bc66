/** What was said, without what a recogniser may write one way or the other. */
export function plainWords(text: string): string {
  return text
    .toLowerCase()
    .replace(/\bno\. /g, 'number ')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
}

/** The share of the expected words that were left out, changed or added: 0 where every word is right. */
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
