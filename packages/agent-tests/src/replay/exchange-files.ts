import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { contentOf, type RecordedContent, type RecordedLine, type RecordedOpening } from './recorded-line.js'
import type { Scrubber } from './scrubber.js'

const digits = 3

/**
 * Writes the files of a recorder: one folder for each scope, and one file for each exchange, numbered by
 * start.
 */
export class ExchangeFiles {
  readonly #directory: string
  readonly #scrubber: Scrubber
  readonly #counts = new Map<string, number>()
  /** The folders of the used scopes. Each is emptied once, to remove an earlier recording. */
  readonly #folders = new Map<string, Promise<string>>()
  readonly #writing = new Set<Promise<void>>()

  constructor(directory: string, scrubber: Scrubber) {
    this.#directory = directory
    this.#scrubber = scrubber
  }

  begin(scope: string, opening: RecordedOpening): ExchangeFile {
    const count = (this.#counts.get(scope) ?? 0) + 1
    this.#counts.set(scope, count)
    const name = `${String(count).padStart(digits, '0')}-${nameOf(opening)}.jsonl`
    const folder = this.#folders.get(scope) ?? emptied(join(this.#directory, scope))
    this.#folders.set(scope, folder)
    return new ExchangeFile(this.#scrubber, opening, (lines) => {
      const written = folder.then((path) => writeFile(join(path, name), lines, { mode: 0o600 }))
      this.#writing.add(written)
      written.finally(() => this.#writing.delete(written)).catch(() => undefined)
    })
  }

  /** Resolves when all finished exchanges are written. Rejects if a write fails. */
  async written(): Promise<void> {
    await Promise.all(this.#writing)
  }
}

/** Collects one exchange. Writes the file when the exchange ends. */
export class ExchangeFile {
  readonly #scrubber: Scrubber
  readonly #write: (lines: string) => void
  readonly #lines: string[]
  readonly #startedAt = performance.now()
  #isOver = false

  constructor(scrubber: Scrubber, opening: RecordedOpening, write: (lines: string) => void) {
    this.#scrubber = scrubber
    this.#write = write
    this.#lines = [scrubber.scrub(JSON.stringify(opening))]
  }

  /** Returns whether scrubbing would change the text. */
  holdsSecret(text: string): boolean {
    return this.#scrubber.scrub(text) !== text
  }

  text(from: RecordedLine['from'], text: string): void {
    this.content(from, contentOf(this.#scrubber.scrub(text)))
  }

  /** Adds audio and other bytes. Secrets are removed from their base64 text too. */
  bytes(from: RecordedLine['from'], bytes: Buffer): void {
    this.content(from, { kind: 'base64', base64: this.#scrubber.scrub(bytes.toString('base64')) })
  }

  content(from: RecordedLine['from'], content: RecordedContent): void {
    this.#add({ from, at: this.#now(), ...content })
  }

  audio(bytes: number): void {
    this.#add({ from: 'client', at: this.#now(), kind: 'audio', bytes })
  }

  status(status: number, headers: Readonly<Record<string, string>>): void {
    this.#add({ from: 'provider', at: this.#now(), kind: 'status', status, headers: { ...headers } })
  }

  /** Only the first call has an effect. */
  end(from: RecordedLine['from'], end: { isWhole: boolean; code?: number; reason?: string }): void {
    if (this.#isOver) return
    const { reason, ...rest } = end
    const scrubbed = reason === undefined ? rest : { ...rest, reason: this.#scrubber.scrub(reason) }
    this.#add({ from, at: this.#now(), kind: 'end', ...scrubbed })
    this.#isOver = true
    this.#write(`${this.#lines.join('\n')}\n`)
  }

  #add(line: RecordedLine): void {
    if (!this.#isOver) this.#lines.push(JSON.stringify(line))
  }

  #now(): number {
    return Math.round(performance.now() - this.#startedAt)
  }
}

async function emptied(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(folder)) if (name.endsWith('.jsonl')) await rm(join(folder, name))
  return folder
}

/** Returns `chat-completions` for `/chat/completions`. */
function nameOf(opening: RecordedOpening): string {
  const [path = ''] = opening.path.split('?')
  const words = path.match(/[A-Za-z0-9]+/g) ?? ['request']
  return words.join('-').slice(0, 60)
}
