import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { contentOf, type RecordedContent, type RecordedLine, type RecordedOpening } from './recorded-line.js'
import type { Scrubber } from './scrubber.js'

const digits = 3

/** Whose files a recorder writes: a folder for each scope, in it a file for each exchange, numbered as they began. */
export class ExchangeFiles {
  readonly #directory: string
  readonly #scrubber: Scrubber
  readonly #counts = new Map<string, number>()
  /** The folders of scopes that were used, each once emptied of what a former recording left. */
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

  /** Settles when all that has ended is in its file; rejects where something could not be written. */
  async written(): Promise<void> {
    await Promise.all(this.#writing)
  }
}

/** One exchange on its way into its file, which is written when it is over. */
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

  /** Whether something of this text would not be written. */
  holdsSecret(text: string): boolean {
    return this.#scrubber.scrub(text) !== text
  }

  text(from: RecordedLine['from'], text: string): void {
    this.content(from, contentOf(this.#scrubber.scrub(text)))
  }

  /** Sound and other bytes; a secret is no sound. */
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

  /** The first end counts. */
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

/** `chat-completions` of `/chat/completions`. */
function nameOf(opening: RecordedOpening): string {
  const [path = ''] = opening.path.split('?')
  const words = path.match(/[A-Za-z0-9]+/g) ?? ['request']
  return words.join('-').slice(0, 60)
}
