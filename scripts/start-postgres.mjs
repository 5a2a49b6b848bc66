// A PostgreSQL of its own for whoever starts this, found and run as the tests do it: prints its address on a line, and
// stops when its standard input ends. The code is that of the tests, which is never compiled, so Vite loads it.
import { fileURLToPath } from 'node:url'
import { createViteServer } from 'vitest/node'

const services = '/server/test/support/services'

const loader = await createViteServer({
  root: fileURLToPath(new URL('../', import.meta.url)),
  configFile: false,
  logLevel: 'error',
  optimizeDeps: { noDiscovery: true },
  server: { middlewareMode: true, ws: false, watch: null },
})
try {
  const { findInstallation } = await loader.ssrLoadModule(`${services}/programs/find-installation.ts`)
  const { wantedPrograms } = await loader.ssrLoadModule(`${services}/programs/wanted-programs.ts`)
  const { startPostgresServer } = await loader.ssrLoadModule(`${services}/postgres-server.ts`)
  const { installation } = await findInstallation(wantedPrograms.postgres, console.error)
  // What is measured is what an operator's server does, and that one tidies up after itself.
  const server = await startPostgresServer(installation, { autovacuum: 'on' })
  console.log(server.url)
  process.stdin.resume()
  process.stdin.once('end', () => server.stop().then(() => process.exit(0)))
} finally {
  await loader.close()
}
