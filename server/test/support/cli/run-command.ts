import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../../bin/parley.mjs', import.meta.url))

export interface CommandEnd {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the operator's command to its end, with nothing in its environment but what the test says. */
export async function runCommand(
  args: readonly string[],
  { env, cwd }: { readonly env: Readonly<Record<string, string>>; readonly cwd: string },
): Promise<CommandEnd> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await ended, stdout, stderr }
}

/** The same with --json; fails where the command does. */
export async function runJson<Result>(
  args: readonly string[],
  options: Parameters<typeof runCommand>[1],
): Promise<Result> {
  const { code, stdout, stderr } = await runCommand([...args, '--json'], options)
  if (code !== 0) throw new Error(`parley ${args.join(' ')} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout) as Result
}
