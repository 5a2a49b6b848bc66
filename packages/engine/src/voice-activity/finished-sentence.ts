/** Words that do not end a sentence, so more will follow. */
const openWords = new Set(
  (
    'a an the and or but because so if when while that which who whose to for from with without of in on at by about ' +
    'into than as my your our their his her its this these those is are was were will would can could should may ' +
    'um uh er hmm like well also then between under over i we they he she want need please'
  ).split(' '),
)

/** Returns whether the text sounds like a whole sentence. This is a guess that uses only the words. */
export function soundsFinished(words: string): boolean {
  const text = words.trim()
  if (text === '') return false
  // A comma means nothing, because recognizers end whole sentences with one.
  if (/(\.\.\.|\u2026|[;:\u2013\u2014-])$/.test(text)) return false
  const last = text
    .toLowerCase()
    .replace(/[^a-z0-9' ]+/g, ' ')
    .trim()
    .split(/\s+/)
    .at(-1)
  return last !== undefined && !openWords.has(last)
}
