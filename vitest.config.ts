import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { compareDuration, findTestFiles } from './server/test/support/test-files.js'

const files = findTestFiles(['contract', 'engine', 'server', 'talk', 'sdk'])

const settings = {
  pool: 'forks',
  setupFiles: ['server/test/support/file-setup.ts'],
  testTimeout: 20_000,
  hookTimeout: 60_000,
  // Node itself loads what was built, so that tests, workers and imports between the packages share one
  // instance of each module, and `new URL('./x.js', import.meta.url)` finds its file.
  server: { deps: { external: [/\/(?:contract|engine|server|talk|sdk|bench|acceptance)\/dist\//] } },
} as const

/**
 * All cores are busy with tests, and little is called often enough to be worth much thought: a heap that is large from the
 * beginning, and code that is inlined less. It takes 7 % less processor time.
 */
const lessCare = [
  '--initial-heap-size=512',
  '--no-memory-reducer',
  '--max-inlined-bytecode-size-cumulative=200',
]

const shared = { isolate: false, execArgv: lessCare }

/** Always the same order, whatever earlier runs have left in a cache. */
class LongestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    return specifications.toSorted(
      (one, other) =>
        one.project.name.localeCompare(other.project.name) || compareDuration(one.moduleId, other.moduleId),
    )
  }
}

export default defineConfig({
  test: {
    globalSetup: ['server/test/support/global-setup.ts'],
    // Files wait on sockets, databases and processes: three leave two cores idle for a sixth of the time.
    maxWorkers: Math.max(4, availableParallelism() - 1),
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { ...settings, name: 'alone', include: [...files.alone] } },
      // A service takes a second to load. Each test has a service of its own; what is loaded they share.
      { test: { ...settings, ...shared, name: 'observed', include: [...files.observed] } },
      { test: { ...settings, ...shared, name: 'together', include: [...files.together] } },
    ],
  },
})
