import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { directoriesWith, searchPath } from '../services/find-program.js'
import type { RunningService } from '../start-service.js'

/** The address that readers see. */
const defaultUrl = 'http://127.0.0.1:8080'

/** Nothing listens there: npm gets packages only from the service. */
const withoutRegistry = { npm_config_registry: 'http://127.0.0.1:9/', npm_config_fetch_retries: '0' }

/** `parley plan` ends with 2 if there are changes. */
const acceptChanges = `npx() { command npx "$@" || [ "$2:$?" = plan:2 ]; }`

/**
 * Runs the blocks one after the other in one shell, as a reader pastes them, and returns the output of each. Throws if a
 * command fails.
 */
export async function runShellBlocks(
  commands: readonly string[],
  { url, organizationId, apiKey, config, databaseUrl }: RunningService,
  folder: string,
): Promise<string[]> {
  for (const program of ['curl', 'jq'])
    if ((await directoriesWith([program], searchPath())).length === 0)
      throw new Error(`The commands of the guide need ${program}. Install it to run this test.`)
  const boundary = '----- next block -----'
  const script = [acceptChanges, ...commands].join(`\necho '${boundary}'\n`).replaceAll(defaultUrl, url)
  const { stdout } = await promisify(execFile)('sh', ['-ec', script], {
    // A page that waits for something that never happens must not outlive its test.
    timeout: 80_000,
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...withoutRegistry,
      PARLEY_URL: url,
      PARLEY_ORG_ID: organizationId,
      PARLEY_API_KEY: apiKey,
      // The settings of the service, for the operator's command.
      DATABASE_URL: databaseUrl ?? '',
      PARLEY_SECRET: 'a secret for tests that is long enough',
      PARLEY_DATA_DIR: config.database.dataDir,
      PORT: new URL(url).port,
    },
  })
  return stdout.split(`${boundary}\n`).slice(1)
}
