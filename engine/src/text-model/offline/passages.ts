/** A piece of a file that the model was given to answer from. */
export interface Passage {
  readonly file: string
  /** Where in the file, in words; null where it has no places. */
  readonly place: string | null
  readonly text: string
}

export interface TextWithPassages {
  readonly passages: readonly Passage[]
  /** The text without them, and without the line that introduces them. */
  readonly rest: string
}

const block = /(?:^[^\n]*\n)?<files>\s*\n([\s\S]*?)<\/files>/gm
const passage = /<passage file="([^"]*)"(?: place="([^"]*)")?>\n([\s\S]*?)\n?<\/passage>/g

/** Takes the files' passages out of a text: they are material, and must not be taken for instructions. */
export function readPassages(text: string): TextWithPassages {
  const passages: Passage[] = []
  const rest = text.replace(block, (_, inside: string) => {
    for (const [, file = '', place, words = ''] of inside.matchAll(passage))
      passages.push({
        file: plain(file),
        place: place === undefined || place === '' ? null : plain(place),
        text: plain(words),
      })
    return ''
  })
  return { passages, rest }
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

function plain(text: string): string {
  return text.replace(/&(amp|lt|gt|quot);/g, (_, name: string) => entities[name] ?? '')
}
