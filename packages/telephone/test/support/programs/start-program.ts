import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { closeAfterwards } from '../../../../../apps/server/test/support/close-afterwards.js'
import { findInstallation } from '../../../../../apps/server/test/support/services/programs/find-installation.js'
import { commandIn } from '../../../../../apps/server/test/support/services/programs/installation.js'
import { wantedPrograms } from '../../../../../apps/server/test/support/services/programs/wanted-programs.js'
import { startSupervised } from '../../../../../apps/server/test/support/services/supervised-service.js'

export interface FoundTelephoneProgram {
  /** The command line and environment that run the program with these arguments. */
  run(args: readonly string[]): {
    readonly command: readonly string[]
    readonly environment: Record<string, string>
  }
  /** The folder with this name below the program's libraries, for example of its modules. */
  readonly folder: (name: string) => string
}

export async function findProgram(name: 'baresip' | 'sipp' | 'kamailio'): Promise<FoundTelephoneProgram> {
  const { installation } = await findInstallation(wantedPrograms[name], () => undefined)
  if (installation.kind !== 'folders') throw new Error(`${name} must run on this machine.`)
  const lib = join(installation.programs, '..', 'lib')
  const places = [
    lib,
    ...(await readdir(lib)).filter((entry) => entry.includes('-linux-')).map((entry) => join(lib, entry)),
  ]
  const entries = await Promise.all(places.map(async (place) => ({ place, names: await readdir(place) })))
  const folder = (wanted: string) => {
    const found = entries.find(({ names }) => names.includes(wanted))
    if (found === undefined) throw new Error(`${name} has no folder ${wanted}.`)
    return join(found.place, wanted)
  }
  return {
    folder,
    run: (args) => {
      const { command, environment } = commandIn(installation, [join(installation.programs, name), ...args])
      // Kamailio has libraries of its own in a folder that the loader does not know.
      const own = installation.libraries.map((path) => join(path, name))
      const libraries = [...installation.libraries, ...own].join(':')
      return { command, environment: { ...environment, ...(libraries && { LD_LIBRARY_PATH: libraries }) } }
    },
  }
}

/** Starts a program that the end of the test stops. */
export async function startProgram(
  name: 'baresip' | 'kamailio',
  args: (program: FoundTelephoneProgram) => Promise<readonly string[]>,
  readyLine: RegExp,
): Promise<() => Promise<void>> {
  const program = await findProgram(name)
  const stop = await startSupervised({ name, ...program.run(await args(program)), readyLine })
  return closeAfterwards(stop)
}
