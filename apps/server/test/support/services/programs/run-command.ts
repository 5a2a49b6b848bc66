import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

export interface CommandOptions {
  readonly timeoutSeconds: number
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly uid?: number
  readonly gid?: number
}

/** Returns the program's output. On failure the error message contains the last line of its error output. */
export async function runCommand(
  [program = '', ...args]: readonly string[],
  { timeoutSeconds, ...options }: CommandOptions,
): Promise<string> {
  try {
    const running = promisify(execFile)(program, args, {
      timeout: timeoutSeconds * 1000,
      maxBuffer: 16 * 1024 ** 2,
      ...options,
    })
    running.child.stdin?.end()
    return (await running).stdout
  } catch (error) {
    throw new Error(`${program} ${args[0] ?? ''}: ${reasonOf(error, timeoutSeconds)}`, { cause: error })
  }
}

function reasonOf(error: unknown, timeoutSeconds: number): string {
  const { code, killed, stderr } = error as { code?: unknown; killed?: boolean; stderr?: string }
  if (code === 'ENOENT') return 'not installed'
  if (killed) return `timed out after ${timeoutSeconds} s`
  return stderr?.trim().split('\n').at(-1) || `exited with ${code}`
}
