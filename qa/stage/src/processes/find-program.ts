import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const finder = fileURLToPath(new URL('../../../../scripts/find-servers.mjs', import.meta.url))
/** Long enough to download a package. */
const patienceMilliseconds = 120_000

export interface FoundProgram {
  /** "nginx 1.22.1 (installed in …)" */
  readonly description: string
  /** The environment for the program. */
  readonly environment: Readonly<Record<string, string>>
}

export type ProgramSearch =
  | { readonly ok: true; readonly program: FoundProgram }
  | { readonly ok: false; readonly reason: string }

/**
 * Finds a program in the same way as the tests: named by a setting, installed, or unpacked from the
 * distribution's package.
 */
export async function findProgram(name: 'nginx'): Promise<ProgramSearch> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [finder, name], {
      timeout: patienceMilliseconds,
    })
    const found: Readonly<Record<string, FoundProgram>> = JSON.parse(stdout)
    const program = found[name]
    return program ? { ok: true, program } : { ok: false, reason: 'it was not found' }
  } catch (error) {
    return { ok: false, reason: lastSentence(error instanceof Error ? error.message : String(error)) }
  }
}

/** Returns the sentence with the reason from the output of a failed script. */
function lastSentence(text: string): string {
  const message = text.split('\n').find((line) => /^\s*(?:\w*Error: )?The tests need/.test(line))
  return (message ?? text.split('\n', 1)[0] ?? '').replace(/^\s*\w*Error: /, '')
}
