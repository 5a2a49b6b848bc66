import type { ReadPassage } from '../../ports/file-text.js'

const maxLength = 1200
const maxLabelLength = 120
/** The minimum length of a passage. A cut before this position would leave a very short one. */
const minLength = 400
/**
 * The maximum number of headings or pages that start a passage, because a file that consists only of headings
 * would have millions.
 */
const maxSections = 10_000

/** Cuts text into passages of a quotable size, at natural boundaries, without losing any text. */
export class PassageCutter {
  #label: string | null = null
  #pending = ''
  #sectionCount = 0

  /** Adds text, and returns the passages that it completes. */
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

  /**
   * Starts a section with this heading, or without one if the maximum number is reached. Returns the rest of
   * the previous section.
   */
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

/** Returns a heading as a label of one line and limited length, or null if it is empty. */
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

/**
 * Whether a passage may end after a character. Better boundaries come first. The checks are simple, because
 * this code processes megabytes.
 */
const borders = [isParagraphEnd, isSentenceEnd, isLineEnd, isSpace] as const

function findCut(text: string): number {
  for (const isBorder of borders)
    for (let index = text.length - 1; index >= minLength; index -= 1)
      if (isBorder(text, index)) return index + 1
  // Without a boundary, cuts anywhere except inside a surrogate pair.
  return /[\uD800-\uDBFF]$/.test(text) ? text.length - 1 : text.length
}
