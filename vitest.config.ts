import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{contract,engine,server,talk}/test/**/*.test.ts'],
    globalSetup: ['server/test/support/global-setup.ts'],
    pool: 'forks',
    // Files wait on sockets and databases more than they compute: two of them fill two cores.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // Node itself loads what was built, so that tests, workers and imports between the packages share one
    // instance of each module, and `new URL('./x.js', import.meta.url)` finds its file.
    server: { deps: { external: [/\/(?:contract|engine|server|talk)\/dist\//] } },
  },
})
