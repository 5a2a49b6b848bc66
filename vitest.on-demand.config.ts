import { defineConfig } from 'vitest/config'

// What somebody looks at or asks for, and no part of `npm test`: screenshots, lists, wake-ups, test:previous.
export default defineConfig({
  test: {
    globalSetup: ['server/test/support/global-setup.ts'],
    setupFiles: ['server/test/support/file-setup.ts'],
    include: ['server/test/screenshots/*.ts', 'server/test/measures/*.ts'],
    pool: 'forks',
    // Figures are printed as they come.
    disableConsoleIntercept: true,
    server: { deps: { external: [/\/(?:contract|engine|server|sdk)\/dist\//] } },
  },
})
