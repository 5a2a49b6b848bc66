import type { ReadPassage } from '../../ports/file-text.js'

const maxLength = 1200
const maxLabelLength = 120
/** A cut before this would leave a scrap. */
const minLength = 400
/** So many headings or pages begin a passage; without a bound a file of headings alone is millions of them. */
const maxSections = 10_000

/** Cuts text into passages of a size to quote, at the borders that a reader would choose, and loses nothing of it. */
export class PassageCutter {
  #label: string | null = null
  #pending = ''
  #sectionCount = 0

  /** Adds text; returns the passages that are complete by it. */
  add(text: string): ReadPassage[] {
    const all = this.#pending + text
    const passages: ReadPassage[] = []
    let start = 0
    while (all.length - start > maxLength) {
      const end = start + findCut(all.slice(start, start + maxLength))
      this.#push(passages, all.slice(start, end))
      start = end
    }
    this.#pending = all.slice(start)
    return passages
  }

  /** What follows stands under this heading, or under none past the bound; returns what was left of the last section. */
  startSection(heading: string): ReadPassage[] {
    this.#sectionCount += 1
    if (this.#sectionCount > maxSections && this.#label === null) return []
    const rest = this.end()
    if (this.#sectionCount > maxSections) {
      this.#label = null
      return rest
    }
    this.#label = labelOf(heading)
    return rest
  }

  end(): ReadPassage[] {
    const passages: ReadPassage[] = []
    this.#push(passages, this.#pending)
    this.#pending = ''
    return passages
  }

  #push(passages: ReadPassage[], content: string): void {
    if (/\S/.test(content)) passages.push({ label: this.#label, content })
  }
}

/** A heading as a label: one line, not endless; null where nothing is left of it. */
function labelOf(heading: string): string | null {
  const line = heading.replaceAll(/\s+/g, ' ').trim()
  return line === '' ? null : line.slice(0, maxLabelLength).replace(/[\uD800-\uDBFF]$/, '')
}

const lineFeed = 0x0a
const codesOf = (characters: string) => new Set([...characters].map((character) => character.charCodeAt(0)))
const spaces = codesOf(' \t\n\r\f\v\u00a0\u2028\u2029\u3000')
const sentenceEnds = codesOf('.!?')
const wideSentenceEnds = codesOf('。！？')
const closings = codesOf('"\')]’”')

const isSpace = (text: string, index: number) => spaces.has(text.charCodeAt(index))
const isLineEnd = (text: string, index: number) => text.charCodeAt(index) === lineFeed

function isParagraphEnd(text: string, index: number): boolean {
  if (!isLineEnd(text, index)) return false
  let before = index - 1
  while (before > 0 && isSpace(text, before) && !isLineEnd(text, before)) before -= 1
  return isLineEnd(text, before)
}

function isSentenceEnd(text: string, index: number): boolean {
  if (wideSentenceEnds.has(text.charCodeAt(index))) return true
  if (!isSpace(text, index)) return false
  const last = closings.has(text.charCodeAt(index - 1)) ? index - 2 : index - 1
  return sentenceEnds.has(text.charCodeAt(last))
}

/** Whether a passage may end after a character; the better borders first. Megabytes go through here. */
const borders = [isParagraphEnd, isSentenceEnd, isLineEnd, isSpace] as const

function findCut(text: string): number {
  for (const isBorder of borders)
    for (let index = text.length - 1; index >= minLength; index -= 1)
      if (isBorder(text, index)) return index + 1
  // No border at all: anywhere but in the middle of a character.
  return /[\uD800-\uDBFF]$/.test(text) ? text.length - 1 : text.length
}
