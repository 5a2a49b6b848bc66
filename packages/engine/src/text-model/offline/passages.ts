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

const [opening, closing] = ['<files>', '</files>'] as const
const passage = /<passage file="([^"]*)"(?: place="([^"]*)")?>\n([\s\S]*?)\n?<\/passage>/g
const passageEnd = '</passage>'

/**
 * Takes the files' passages out of a text: they are material, and must not be taken for instructions. Blocks are found
 * from one mark to the next: a pattern would look for the end of each that has none, all the way, time and again.
 */
export function readPassages(text: string): TextWithPassages {
  const passages: Passage[] = []
  const rest: string[] = []
  let position = 0
  for (;;) {
    const start = text.indexOf(opening, position)
    const end = start < 0 ? -1 : text.indexOf(closing, start)
    if (end < 0) break
    const inside = text.slice(start + opening.length, end)
    if (/^\s*\n/.test(inside)) {
      rest.push(text.slice(position, introductionStart(text, start, position)))
      passages.push(...passagesIn(inside))
    } else rest.push(text.slice(position, end + closing.length))
    position = end + closing.length
  }
  rest.push(text.slice(position))
  return { passages, rest: rest.join('') }
}

/** Where the line begins that introduces a block; a block in the middle of a line has none. */
function introductionStart(text: string, blockStart: number, searchStart: number): number {
  if (blockStart === 0 || text[blockStart - 1] !== '\n') return blockStart
  const before = text.slice(searchStart, Math.max(searchStart, blockStart - 1))
  return searchStart + before.lastIndexOf('\n') + 1
}

function passagesIn(inside: string): Passage[] {
  // Whatever begins behind the last end has none.
  const whole = inside.slice(0, inside.lastIndexOf(passageEnd) + passageEnd.length)
  return [...whole.matchAll(passage)].map(([, file = '', place, words = '']) => ({
    file: plain(file),
    place: place === undefined || place === '' ? null : plain(place),
    text: plain(words),
  }))
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

function plain(text: string): string {
  return text.replace(/&(amp|lt|gt|quot);/g, (_, name: string) => entities[name] ?? '')
}
