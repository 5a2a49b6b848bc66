// Where the programs of PostgreSQL and Redis are on this machine, found as the tests find them, and the user that they run
// as: for whoever stops and starts them himself. Prints one line of JSON.
import { withTestServices } from './test-code.mjs'

await withTestServices(async (load) => {
  const { findInstallation } = await load('programs/find-installation.ts')
  const { wantedPrograms } = await load('programs/wanted-programs.ts')
  const { findServiceUser } = await load('programs/service-user.ts')
  const { commandIn } = await load('programs/installation.ts')
  const environmentOf = async (wanted) => {
    const { installation, description } = await findInstallation(wanted, console.error)
    if (installation.kind !== 'folders')
      throw new Error(
        `${wanted.title} runs in a container here; install it, so that it can be stopped and started.`,
      )
    return { description, environment: commandIn(installation, []).environment }
  }
  const found = {
    postgres: await environmentOf(wantedPrograms.postgres),
    redis: await environmentOf(wantedPrograms.redis),
    user: findServiceUser() ?? null,
  }
  console.log(JSON.stringify(found))
})
