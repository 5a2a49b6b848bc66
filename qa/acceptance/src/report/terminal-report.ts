import { styleText } from 'node:util'
import { countOf, type Failure, type Outcome, type Summary } from '../outcome.js'

export interface Terminal {
  readonly isColored: boolean
  write(text: string): void
}

const titleWidth = 92

/** Prints one line per finished check, and the details below a failed one. */
export class TerminalReport {
  readonly #terminal: Terminal
  #group: string | null = null

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  begin(url: string, run: string): void {
    this.#line(`Acceptance tests of ${url}`)
    this.#line(`All created resources are named ${run} … and removed at the end.`)
  }

  outcome(outcome: Outcome): void {
    if (outcome.group !== this.#group) this.#line('', this.#styled('bold', outcome.group))
    this.#group = outcome.group
    const time = `${outcome.milliseconds} ms`.padStart(9)
    switch (outcome.kind) {
      case 'passed':
        return this.#line(`  ${this.#styled('green', 'ok  ')} ${outcome.title.padEnd(titleWidth)}${time}`)
      case 'skipped':
        return this.#line(
          `  ${this.#styled('yellow', 'skip')} ${outcome.title}`,
          `         ${outcome.reason}`,
        )
      case 'failed':
        this.#line(`  ${this.#styled('red', 'FAIL')} ${outcome.title.padEnd(titleWidth)}${time}`)
        for (const [name, text] of factsOf(outcome.failure)) this.#line(`         ${name.padEnd(9)} ${text}`)
    }
  }

  end(summary: Summary): void {
    const [passed, failed, skipped] = (['passed', 'failed', 'skipped'] as const).map((kind) =>
      countOf(summary, kind),
    )
    const { removed, left, seconds } = summary
    this.#line('', `${passed} passed, ${failed} failed, ${skipped} skipped, in ${seconds.toFixed(1)} s.`)
    if (left.length === 0) return this.#line(`Nothing was left behind. Removed at the end: ${removed}.`)
    this.#line(this.#styled('red', 'Could not be removed, please remove:'), ...left.map((one) => `  ${one}`))
  }

  #line(...lines: readonly string[]): void {
    this.#terminal.write(`${lines.map((line) => line.trimEnd()).join('\n')}\n`)
  }

  #styled(style: 'bold' | 'green' | 'yellow' | 'red', text: string): string {
    return this.#terminal.isColored ? styleText(style, text) : text
  }
}

/** The details of a failure, in report order. */
export function factsOf({
  expected,
  got,
  requestIds,
  look,
}: Failure): readonly (readonly [string, string])[] {
  return [
    ...(expected === null ? [] : [['expected', expected] as const]),
    ['got', got],
    ...(requestIds.length === 0 ? [] : [['requests', requestIds.join(', ')] as const]),
    ['look at', look],
  ]
}
