/** The maximum length of a sentence. It is limited, because the listener waits for the first sound. */
const maxCharacters = 240

const abbreviations = /(?:^|\s)(?:mr|mrs|ms|dr|st|prof|no|vs|e\.g|i\.e|etc|approx|inc|ltd|[a-z])\.$/i

/** Splits a streamed text into sentences. Joined again, they are exactly the original text. */
export class SentenceSplitter {
  #rest = ''

  push(delta: string): string[] {
    this.#rest += delta
    const sentences: string[] = []
    for (let end = findEnd(this.#rest); end > 0; end = findEnd(this.#rest)) {
      sentences.push(this.#rest.slice(0, end))
      this.#rest = this.#rest.slice(end)
    }
    return sentences
  }

  flush(): string[] {
    const rest = this.#rest
    this.#rest = ''
    return rest === '' ? [] : [rest]
  }
}

/** Returns where the first whole sentence ends, including its white space, or 0 if there is none yet. */
function findEnd(text: string): number {
  for (const match of text.matchAll(/(?:[.!?]+["')\]]*\s+|\n+\s*)(?=\S)/g)) {
    const end = match.index + match[0].length
    const isAbbreviation = match[0].startsWith('.') && abbreviations.test(text.slice(0, match.index + 1))
    if (!isAbbreviation && /[\p{L}\p{N}]/u.test(text.slice(0, end))) return end
  }
  if (text.length <= maxCharacters) return 0
  const comma = text.lastIndexOf(', ', maxCharacters)
  const space = text.lastIndexOf(' ', maxCharacters)
  return (comma > maxCharacters / 2 ? comma + 1 : space) + 1
}
