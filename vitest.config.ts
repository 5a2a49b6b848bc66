import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const packages = '{apps,packages}/*/test'

/** The setup files of a kind start or find only the programs that its tests use. */
const setup = (name: string) => `apps/server/test/support/setup/${name}.ts`
const databases = [setup('run-directory'), setup('postgres'), setup('redis')]

const settings = {
  pool: 'forks',
  setupFiles: ['apps/server/test/support/file-setup.ts'],
  // These end a test that hangs. They are no bar: a busy machine takes many times as long as a quiet one.
  testTimeout: 90_000,
  hookTimeout: 120_000,
  // Less than a test has, so that a condition that is never met says what was found instead.
  expect: { poll: { timeout: 60_000 } },
  // Node loads the built packages, so that tests, workers and imports between packages share one instance of each module,
  // and `new URL('./x.js', import.meta.url)` finds its file.
  server: { deps: { external: [/\/(?:apps|packages|qa)\/[^/]+\/dist\//] } },
} as const

/**
 * Loading the service takes a second, so the files of a worker share what is loaded. A large initial heap and less inlining
 * save 7 % of the processor time of tests, which call most functions only a few times.
 */
const shared = {
  ...settings,
  isolate: false,
  execArgv: [
    '--initial-heap-size=512',
    '--no-memory-reducer',
    '--max-inlined-bytecode-size-cumulative=200',
    // As apps/server/bin/parley.mjs has it.
    '--wasm-tiering-budget=1000000000',
  ],
}

/** One kind for each thing that a test needs. The file name says which: `x.service.test.ts`. */
function kind(name: string, options: object) {
  return { test: { ...settings, name, include: [`${packages}/**/*.${name}.test.ts`], ...options } }
}

export default defineConfig({
  test: {
    // Files wait for sockets, databases and processes. With three workers, two cores idle for a sixth of the time.
    maxWorkers: Math.max(4, availableParallelism() - 1),
    projects: [
      kind('unit', {
        ...shared,
        include: [`${packages}/**/*.test.ts`],
        exclude: ['**/*.*.test.ts'],
        globalSetup: [setup('run-directory')],
      }),
      // Database tests run once on each database: on PostgreSQL here, because they share what is loaded.
      kind('service', {
        ...shared,
        include: [`${packages}/**/*.{service,database}.test.ts`],
        env: { PARLEY_TEST_DATABASES: 'postgres' },
        globalSetup: databases,
      }),
      kind('database', {
        ...shared,
        env: { PARLEY_TEST_DATABASES: 'embedded' },
        globalSetup: databases,
      }),
      kind('embedded', { ...shared, globalSetup: [setup('run-directory')] }),
      kind('browser', { ...shared, globalSetup: [...databases, setup('browser')] }),
      kind('speech', { ...shared, globalSetup: databases }),
      // Our side of the providers' protocols, checked with their own clients.
      kind('vendor', { ...shared, globalSetup: [...databases, setup('vendor-clients')] }),
      kind('smoke', { ...shared, globalSetup: [...databases, setup('browser')] }),
      // These look at or change their whole process, or take very long: each file has a process of its own.
      kind('process', { globalSetup: databases }),
      kind('long', { globalSetup: databases }),
      // Quality assurance tests itself here, after `npm run build:qa`.
      kind('qa', { include: ['qa/*/test/**/*.test.ts'], globalSetup: databases }),
      kind('timing', { globalSetup: [...databases, setup('browser')] }),
    ],
  },
})
