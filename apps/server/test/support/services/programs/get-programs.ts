import { findInstallation } from './find-installation.js'
import { wantedPrograms } from './wanted-programs.js'

/**
 * Fetches missing programs while the build runs. Errors are ignored here: the test that needs a program tries
 * again and reports the reason.
 */
export async function getPrograms(names: readonly string[], say: (line: string) => void): Promise<void> {
  // Fetched one after the other: two package installations would wait for the same lock.
  for (const [name, wanted] of Object.entries(wantedPrograms)) {
    if (!names.includes(name) || process.env[wanted.setting]) continue
    await findInstallation(wanted, say).catch(() => undefined)
  }
}
