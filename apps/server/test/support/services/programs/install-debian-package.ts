import { rm, writeFile } from 'node:fs/promises'
import type { Installation } from './installation.js'
import { runCommand } from './run-command.js'

const startPolicy = '/usr/sbin/policy-rc.d'

/**
 * Installs the distribution's package permanently, which requires root. `find` can locate its programs
 * afterwards.
 */
export function installDebianPackage(name: string, find: () => Promise<Installation | undefined>) {
  return async (): Promise<Installation | undefined> => {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined
    await withoutStartingServices(async () => {
      const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
      await runCommand(['apt-get', 'update', '-qq'], { timeoutSeconds: 120, env })
      const options = ['-qq', '--yes', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=60']
      await runCommand(['apt-get', 'install', ...options, name], { timeoutSeconds: 300, env })
    })
    const found = await find()
    return found && { ...found, origin: `installed as the package ${name}` }
  }
}

/**
 * Prevents packages from starting their services: the tests start their own. An existing policy file is kept.
 */
async function withoutStartingServices(task: () => Promise<void>): Promise<void> {
  const isOurs = await writeFile(startPolicy, '#!/bin/sh\nexit 101\n', { mode: 0o755, flag: 'wx' }).then(
    () => true,
    () => false,
  )
  try {
    await task()
  } finally {
    if (isOurs) await rm(startPolicy, { force: true })
  }
}
