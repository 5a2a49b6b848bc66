import type { ReadPassage } from '../../ports/file-text.js'
import type { PassageCutter } from './passage-cutter.js'

/** Longer lines are never headings and are passed on without buffering. */
const maxHeadingLength = 1000

/** Starts a passage at every Markdown heading, with the heading as its label. */
export class MarkdownSections {
  readonly #cutter: PassageCutter
  #line = ''
  #isMiddleOfLine = false
  #isInFence = false

  constructor(cutter: PassageCutter) {
    this.#cutter = cutter
  }

  add(text: string): ReadPassage[] {
    const passages: ReadPassage[] = []
    const all = this.#line + text
    let start = 0
    for (let end = all.indexOf('\n'); end >= 0; end = all.indexOf('\n', start)) {
      passages.push(...this.#addLine(all.slice(start, end + 1)))
      start = end + 1
    }
    this.#line = all.slice(start)
    if (this.#line.length > maxHeadingLength) passages.push(...this.#addRest())
    return passages
  }

  end(): ReadPassage[] {
    return [...this.#addRest(), ...this.#cutter.end()]
  }

  #addRest(): ReadPassage[] {
    const rest = this.#line
    this.#line = ''
    return this.#addLine(rest)
  }

  #addLine(line: string): ReadPassage[] {
    const isWholeLine = !this.#isMiddleOfLine
    this.#isMiddleOfLine = line !== '' && !line.endsWith('\n')
    if (isWholeLine && /^ {0,3}(?:```|~~~)/.test(line)) this.#isInFence = !this.#isInFence
    const heading = isWholeLine && !this.#isInFence ? /^ {0,3}#{1,6}[\t ]+(.*)/.exec(line)?.[1] : undefined
    const before = heading === undefined ? [] : this.#cutter.startSection(withoutClosing(heading))
    return [...before, ...this.#cutter.add(line)]
  }
}

/** Removes the closing marks of a heading. A regular expression would be quadratic for a long run of marks. */
function withoutClosing(heading: string): string {
  let end = Math.min(heading.length, maxHeadingLength)
  while (end > 0 && '\t #'.includes(heading.charAt(end - 1))) end -= 1
  return heading.slice(0, end)
}
