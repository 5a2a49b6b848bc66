import { findInstallation } from './find-installation.js'
import { wantedPrograms } from './wanted-programs.js'

/**
 * Gets what is not on this machine yet, while it has other things to do. What cannot be had is tried again, and said, by
 * whoever needs it.
 */
export async function getPrograms(say: (line: string) => void): Promise<void> {
  // One after the other: two that want the system's packages would wait for each other's lock.
  for (const wanted of Object.values(wantedPrograms)) {
    if (process.env[wanted.setting]) continue
    await findInstallation(wanted, say).catch(() => undefined)
  }
}
