// A PostgreSQL of its own for whoever starts this, found and run as the tests do it: prints its address on a line, and
// stops when its standard input ends.
import { withTestServices } from './test-code.mjs'

await withTestServices(async (load) => {
  const { findInstallation } = await load('programs/find-installation.ts')
  const { wantedPrograms } = await load('programs/wanted-programs.ts')
  const { startPostgresServer } = await load('postgres-server.ts')
  const { installation } = await findInstallation(wantedPrograms.postgres, console.error)
  // What is measured is what an operator's server does, and that one tidies up after itself.
  const server = await startPostgresServer(installation, { autovacuum: 'on' })
  console.log(server.url)
  process.stdin.resume()
  process.stdin.once('end', () => server.stop().then(() => process.exit(0)))
})
