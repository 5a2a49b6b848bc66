// Finds server programs as the tests do, and the user that they run as, for scripts that start and stop them. Arguments are
// keys of the table of programs. Default: PostgreSQL and Redis. Prints one line of JSON.
import { withTestServices } from './test-code.mjs'

const named = process.argv.slice(2)
const names = named.length > 0 ? named : ['postgres', 'redis']

await withTestServices(async (load) => {
  const { findInstallation } = await load('programs/find-installation.ts')
  const { wantedPrograms } = await load('programs/wanted-programs.ts')
  const { findServiceUser } = await load('programs/service-user.ts')
  const { commandIn } = await load('programs/installation.ts')
  const environmentOf = async (wanted) => {
    const { installation, description } = await findInstallation(wanted, console.error)
    if (installation.kind !== 'folders')
      throw new Error(
        `${wanted.title} runs in a container here. Install it, because it must be stopped and started.`,
      )
    return { description, environment: commandIn(installation, []).environment }
  }
  const found = { user: findServiceUser() ?? null }
  for (const name of names) found[name] = await environmentOf(wantedPrograms[name])
  console.log(JSON.stringify(found))
})
