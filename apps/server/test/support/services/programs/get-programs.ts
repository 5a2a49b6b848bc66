import { findInstallation } from './find-installation.js'
import { wantedPrograms } from './wanted-programs.js'

/**
 * Fetches the named programs that this machine does not have, while the machine builds. The test that needs a program
 * tries again and reports the reason if it cannot be had.
 */
export async function getPrograms(names: readonly string[], say: (line: string) => void): Promise<void> {
  // One after the other: two programs from the system's packages would wait for each other's lock.
  for (const [name, wanted] of Object.entries(wantedPrograms)) {
    if (!names.includes(name) || process.env[wanted.setting]) continue
    await findInstallation(wanted, say).catch(() => undefined)
  }
}
