import { defineConfig } from 'vitest/config'

// What somebody looks at, and no test: `npm run screenshots` and `npm run lists`.
export default defineConfig({
  test: {
    globalSetup: ['server/test/support/global-setup.ts'],
    setupFiles: ['server/test/support/file-setup.ts'],
    include: ['server/test/screenshots/*.ts', 'server/test/measures/*.ts'],
    pool: 'forks',
    server: { deps: { external: [/\/(?:contract|engine|server|sdk)\/dist\//] } },
  },
})
