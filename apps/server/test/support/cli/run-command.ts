import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { runParley } from '#server/parley.js'

const program = fileURLToPath(new URL('../../../bin/parley.mjs', import.meta.url))

export interface CommandEnd {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface CommandSettings {
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** Whether it prints to a terminal, and so in colours. */
  readonly isTTY?: boolean
}

/**
 * Runs the operator's command to its end, with nothing in its environment but what the test says, on the modules that
 * are loaded already: nothing but files on its command line leads to where the test itself runs.
 */
export async function runCommand(
  args: readonly string[],
  { env, cwd, isTTY = false }: CommandSettings,
): Promise<CommandEnd> {
  let [stdout, stderr] = ['', '']
  const code = await runParley({
    args,
    env: { PARLEY_DATA_DIR: join(cwd, 'data'), ...env },
    namesFromFile: [],
    streams: {
      isTTY,
      out: (text) => {
        stdout += text
      },
      err: (text) => {
        stderr += text
      },
    },
    talk: () => Promise.reject(new Error('This is a program of its own.')),
  })
  return { code, stdout, stderr }
}

/** Runs the program that an operator runs, to its end. */
export async function runProgram(args: readonly string[], settings: CommandSettings): Promise<CommandEnd> {
  const child = spawnProgram(args, settings)
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await ended, stdout, stderr }
}

export function spawnProgram(args: readonly string[], { env, cwd }: CommandSettings) {
  return spawn(process.execPath, [program, ...args], {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** What `runCommand` prints with --json; fails where the command does. */
export async function runJson<Result>(args: readonly string[], settings: CommandSettings): Promise<Result> {
  return parseResult(args, await runCommand([...args, '--json'], settings))
}

/** The same of `runProgram`. */
export async function runProgramJson<Result>(
  args: readonly string[],
  settings: CommandSettings,
): Promise<Result> {
  return parseResult(args, await runProgram([...args, '--json'], settings))
}

function parseResult<Result>(args: readonly string[], { code, stdout, stderr }: CommandEnd): Result {
  if (code !== 0) throw new Error(`parley ${args.join(' ')} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout) as Result
}
