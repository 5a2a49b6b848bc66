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
  /** Whether the output is a terminal and therefore has colors. */
  readonly isTTY?: boolean
}

/**
 * Runs the operator's command in this process, with the loaded modules and only the given environment. The
 * command sees the test's own folder only through files on its command line.
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

/** Runs the operator's program until it ends. */
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

/** Returns the output of `runCommand` with --json. Throws if the command fails. */
export async function runJson<Result>(args: readonly string[], settings: CommandSettings): Promise<Result> {
  return parseResult(args, await runCommand([...args, '--json'], settings))
}

/** The same for `runProgram`. */
export async function runProgramJson<Result>(
  args: readonly string[],
  settings: CommandSettings,
): Promise<Result> {
  return parseResult(args, await runProgram([...args, '--json'], settings))
}

function parseResult<Result>(args: readonly string[], { code, stdout, stderr }: CommandEnd): Result {
  if (code !== 0) throw new Error(`parley ${args.join(' ')} exited with ${code}: ${stderr}`)
  return JSON.parse(stdout) as Result
}
