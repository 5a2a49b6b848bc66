// Starts a temporary PostgreSQL server, found and run as the tests do. Prints its address on one line, and stops when standard
// input ends.
import { withTestServices } from './test-code.mjs'

await withTestServices(async (load) => {
  const { findInstallation } = await load('programs/find-installation.ts')
  const { wantedPrograms } = await load('programs/wanted-programs.ts')
  const { startPostgresServer } = await load('postgres-server.ts')
  const { installation } = await findInstallation(wantedPrograms.postgres, console.error)
  // Measurements need the autovacuum of a production server.
  const server = await startPostgresServer(installation, { autovacuum: 'on' })
  console.log(server.url)
  process.stdin.resume()
  process.stdin.once('end', () => server.stop().then(() => process.exit(0)))
})
