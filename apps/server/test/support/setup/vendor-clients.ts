import { createHash } from 'node:crypto'
import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { keptFolder } from '../services/programs/program-folder.js'
import { runCommand } from '../services/programs/run-command.js'

// vendor-client.ts declares it too: some test projects include only one of the two files.
declare module 'vitest' {
  export interface ProvidedContext {
    vendorClients: string
  }
}

const source = fileURLToPath(new URL('../../vendor-clients/', import.meta.url))
const install = ['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']

/**
 * Installs the providers' clients once for each lockfile. They are 200 MB, so they are not among the packages that
 * `npm ci` installs for everyone.
 */
export async function setup({ vitest }: TestProject): Promise<void> {
  const lockfile = await readFile(join(source, 'package-lock.json'))
  const version = createHash('sha256').update(lockfile).digest('hex').slice(0, 12)
  const folder = await keptFolder(`vendor-clients-${version}`, async (target) => {
    vitest.logger.log("Installing the providers' clients for the tests (only once) …")
    for (const file of ['package.json', 'package-lock.json']) {
      await copyFile(join(source, file), join(target, file))
    }
    await runCommand(install, { timeoutSeconds: 300, cwd: target })
  })
  vitest.provide('vendorClients', folder)
}
