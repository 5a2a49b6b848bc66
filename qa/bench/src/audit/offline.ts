import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const program = fileURLToPath(new URL('../../../../apps/server/bin/parley.mjs', import.meta.url))
const run = promisify(execFile)

export interface OfflineFiles {
  readonly file: string
  readonly head: string
  readonly secret: string
}

/** Verifies an export with the operator's command. */
export async function verifyOffline({
  file,
  head,
  secret,
}: OfflineFiles): Promise<{ readonly seconds: number; readonly isWhole: boolean }> {
  const startedAt = performance.now()
  const args = [program, 'audit', 'verify', file, '--head', head, '--json']
  const { stdout } = await run(process.execPath, args, {
    env: { PATH: process.env.PATH, PARLEY_SECRET: secret },
  })
  const { valid } = JSON.parse(stdout) as { readonly valid: boolean }
  return { seconds: (performance.now() - startedAt) / 1000, isWhole: valid }
}
