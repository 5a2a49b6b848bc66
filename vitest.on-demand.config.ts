import { defineConfig } from 'vitest/config'

// What somebody looks at or asks for, and no part of `npm test`: screenshots, lists, wake-ups, test:previous, and
// check:deploy, for which a test would have to fetch large programs.
export default defineConfig({
  test: {
    globalSetup: ['run-directory', 'postgres', 'redis', 'browser'].map(
      (name) => `apps/server/test/support/setup/${name}.ts`,
    ),
    setupFiles: ['apps/server/test/support/file-setup.ts'],
    include: [
      'apps/server/test/screenshots/*.ts',
      'apps/server/test/measures/*.ts',
      'apps/server/test/deploy/check-deploy.ts',
    ],
    pool: 'forks',
    // Figures are printed as they come.
    disableConsoleIntercept: true,
    server: { deps: { external: [/\/(?:contract|engine|server|sdk)\/dist\//] } },
  },
})
