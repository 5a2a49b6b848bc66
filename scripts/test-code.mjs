// Gives scripts access to the tests' code, which is never compiled. Vite loads it.
import { fileURLToPath } from 'node:url'
import { createViteServer } from 'vitest/node'

const services = '/apps/server/test/support/services'

/** Calls `use` with a function that loads a module of apps/server/test/support/services. */
export async function withTestServices(use) {
  const loader = await createViteServer({
    root: fileURLToPath(new URL('../', import.meta.url)),
    configFile: false,
    logLevel: 'error',
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, ws: false, watch: null },
  })
  try {
    return await use((path) => loader.ssrLoadModule(`${services}/${path}`))
  } finally {
    await loader.close()
  }
}
