import { execFile } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { directoriesWith, searchPath } from '../services/find-program.js'
import type { RunningService } from '../start-service.js'

/** Nothing listens there: npm gets packages only from the service. */
const withoutRegistry = { npm_config_registry: 'http://127.0.0.1:9/', npm_config_fetch_retries: '0' }

/** Blocks of shell commands. A block below a comment `<!-- not run by the test: … -->` needs what a test does not have. */
const blocks = /^(?:(<!-- not run by the test: .+ -->)\n)?```sh\n([\s\S]*?)^```$/gm

/** Returns the blocks of a guide page that a reader can run with only the service. */
export function shellBlocksIn(page: string): string[] {
  return [...page.matchAll(blocks)].flatMap(([, mark, commands = '']) =>
    mark === undefined ? [commands] : [],
  )
}

/**
 * Runs the blocks one after the other in one shell, as a reader pastes them, and returns the output of each. Throws if a
 * command fails.
 */
export async function runShellBlocks(
  commands: readonly string[],
  { url, organizationId, apiKey }: RunningService,
  folder?: string,
): Promise<string[]> {
  for (const program of ['curl', 'jq'])
    if ((await directoriesWith([program], searchPath())).length === 0)
      throw new Error(`The commands of the guide need ${program}. Install it to run this test.`)
  const boundary = '----- next block -----'
  const { stdout } = await promisify(execFile)('sh', ['-ec', commands.join(`\necho '${boundary}'\n`)], {
    // A page that waits for something that never happens must not outlive its test.
    timeout: 80_000,
    cwd: folder ?? (await mkdtemp(join(inject('runDirectory'), 'guide-'))),
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...withoutRegistry,
      PARLEY_URL: url,
      PARLEY_ORG_ID: organizationId,
      PARLEY_API_KEY: apiKey,
    },
  })
  return stdout.split(`${boundary}\n`)
}
