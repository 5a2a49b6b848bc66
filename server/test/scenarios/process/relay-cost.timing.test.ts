import { afterAll, expect, test } from 'vitest'
import { measureRelayRatio } from '../../../../bench/dist/relay/relay-ratio.js'
import { cleanUp, newMigratedDirectory, slow } from '../../support/process/parley-process.js'

/*
 * `npm run bench relay` in small. What is measured is processor time of the two processes, in rounds that follow each other
 * at once, so that a busy machine slows both alike; the median of them counts, and one that is above the bound is
 * measured again. A relay that parses every frame takes 2 to 3 times as much as a blind one.
 */
const bound = 1.3

afterAll(cleanUp)

test(
  '[PERF-6] relaying a message takes at most 1.3 times the processor time of a blind relay',
  slow,
  async () => {
    const attempts = await measureRelayRatio({
      sessions: 40,
      framesPerSecond: 50,
      rounds: 5,
      measureSeconds: 0.3,
      bound,
      maxAttempts: 3,
      dataDir: `${await newMigratedDirectory()}/data`,
    })
    expect(attempts.at(-1)).toBeGreaterThan(0)
    expect(attempts.at(-1), `the attempts: ${attempts.join(', ')}`).toBeLessThanOrEqual(bound)
  },
)
