import { defineConfig } from 'vitest/config'

// `npm run screenshots`: every page of the console as pictures, in .cache/screenshots, to be looked at.
export default defineConfig({
  test: {
    globalSetup: ['server/test/support/global-setup.ts'],
    setupFiles: ['server/test/support/file-setup.ts'],
    include: ['server/test/screenshots/screenshots.ts'],
    pool: 'forks',
    server: { deps: { external: [/\/(?:contract|engine|server|sdk)\/dist\//] } },
  },
})
