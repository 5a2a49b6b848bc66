import { defineConfig } from 'vitest/config'

// What somebody looks at or asks for, and no part of `npm test`: screenshots, lists, wake-ups, test:previous, and
// check:deploy, for which a test would have to fetch large programs.
export default defineConfig({
  test: {
    globalSetup: ['run-directory', 'postgres', 'redis', 'browser'].map(
      (name) => `server/test/support/setup/${name}.ts`,
    ),
    setupFiles: ['server/test/support/file-setup.ts'],
    include: [
      'server/test/screenshots/*.ts',
      'server/test/measures/*.ts',
      'server/test/deploy/check-deploy.ts',
    ],
    pool: 'forks',
    // Figures are printed as they come.
    disableConsoleIntercept: true,
    server: { deps: { external: [/\/(?:contract|engine|server|sdk)\/dist\//] } },
  },
})
