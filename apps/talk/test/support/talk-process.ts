import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { expect, vi } from 'vitest'
import { inTerminal } from '../../../server/test/support/process/terminal.js'

const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>
  /** A pseudo-terminal in which the test types. */
  readonly inTerminal?: boolean
}

export interface TalkProcess {
  type(text: string): void
  /** Ends the input. */
  endInput(): void
  /** Waits until the process has printed this text after the text that was waited for last. */
  shows(text: string | RegExp): Promise<void>
  /** The standard output so far, without terminal control sequences. */
  stdout(): string
  /** The standard output so far, with control sequences. */
  raw(): string
  stderr(): string
  readonly exitCode: Promise<number | null>
}

const running = new Set<() => void>()
process.once('exit', endAllTalks)

/** Ends remaining processes, even if a test failed. */
export function endAllTalks(): void {
  for (const kill of running) kill()
}

/** Runs the client in a process of its own. Its environment contains only what the test passes. */
export function startTalk(
  args: readonly string[],
  { env = {}, inTerminal: hasTerminal = false }: StartOptions = {},
): TalkProcess {
  const command = [process.execPath, program, ...args]
  const [name = '', ...rest] = hasTerminal ? inTerminal(`exec ${command.map(quote).join(' ')}`) : command
  const child = spawn(name, rest, {
    env: { PATH: process.env.PATH, ...(hasTerminal && { TERM: 'xterm' }), ...env },
  })
  const kill = () => child.kill('SIGKILL')
  running.add(kill)
  let raw = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    raw += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const stdout = () => stripVTControlCharacters(raw).replaceAll('\r', '')
  const exitCode = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      running.delete(kill)
      resolve(code)
    })
  })
  let seen = 0
  return {
    type: (text) => void child.stdin.write(text),
    endInput: () => void child.stdin.end(),
    async shows(text) {
      const find = () => {
        const rest = stdout().slice(seen)
        const match =
          typeof text === 'string' ? { index: rest.indexOf(text), length: text.length } : search(rest, text)
        if (match.index >= 0) seen += match.index + match.length
        return match.index >= 0
      }
      await vi.waitUntil(find, { timeout: 60_000, interval: 20 }).catch(() => {
        expect.fail(`${text} was not printed. Output:\n${stdout().slice(seen)}\n${stderr}`)
      })
    },
    stdout,
    raw: () => raw,
    stderr: () => stderr,
    exitCode,
  }
}

function search(text: string, pattern: RegExp): { readonly index: number; readonly length: number } {
  const match = pattern.exec(text)
  return { index: match?.index ?? -1, length: match?.[0].length ?? 0 }
}

function quote(argument: string): string {
  return `'${argument.replaceAll("'", "'\\''")}'`
}
