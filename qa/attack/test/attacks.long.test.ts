import { afterAll, expect, test } from 'vitest'
import { runAttacks } from '#attack/attack-run.js'
import { type Bars, findBrokenBars } from '#attack/bars.js'
import { cleanUp, newMigratedDirectory } from '../../../apps/server/test/support/process/parley-process.js'
import {
  type DatabaseKind,
  databaseKinds,
  migratedDatabase,
} from '../../../apps/server/test/support/start-service.js'

/*
 * The attacks of `npm run attack` in small: fewer of them at a time, but each by itself as large as it is there. The bars
 * are those of a machine that does other things too. What they are to find took 6 s to a quarter of an hour before it
 * was mended, and hundreds of megabytes; what a busy machine makes of a call that waits for nobody is a second or two.
 */
const bars: Bars = { p99Milliseconds: 5000, longestMilliseconds: 5000, memoryGrowth: 1 }
const scale = 0.005

/** Those of a round come together: by whom they are made. The engine's models take longer to load than all of this. */
const rounds = {
  postgres: [
    ['bad-keys', 'bad-tokens', 'slow-requests', 'huge-headers'],
    ['nested-json', 'heavy-lists', 'unread-answers', 'markdown', 'slow-documents'],
    ['unread-pings', 'approvals-of-nothing', 'frame-flood', 'session-flood'],
    ['tool-answers', 'many-secrets', 'tool-schemas', 'mcp-listing'],
    ['long-answers', 'turn-flood', 'sub-agents', 'provider-flood'],
  ],
  // What comes as far as the database, which has one place for all; the rest runs in the same way on either.
  embedded: [
    ['bad-keys', 'heavy-lists', 'unread-answers', 'markdown'],
    ['approvals-of-nothing', 'frame-flood', 'session-flood', 'mcp-listing'],
    ['long-answers', 'turn-flood', 'sub-agents', 'provider-flood'],
  ],
} satisfies Record<DatabaseKind, string[][]>

afterAll(cleanUp)

async function databaseOf(kind: DatabaseKind) {
  if (kind === 'embedded') {
    const dataDir = `${await newMigratedDirectory()}/data`
    return { database: { kind, dataDir }, drop: async () => undefined }
  }
  const { url, drop } = await migratedDatabase()
  return { database: { kind, url }, drop }
}

test.concurrent.each(databaseKinds)(
  'what one organization does is not felt by another (%s) [BND-12]',
  async (kind) => {
    const { database, drop } = await databaseOf(kind)
    const results = await runAttacks({
      database,
      rounds: rounds[kind],
      scale,
      leastSeconds: 0,
      memoryGrowth: bars.memoryGrowth,
      memoryMilliseconds: 1000,
      aftermathMilliseconds: 200,
      onResult: () => undefined,
    })
    await drop()
    expect(results.map(({ name }) => name)).toEqual(rounds[kind].map((names) => names.join(' + ')))
    const broken = results.flatMap((result) =>
      findBrokenBars(result, bars).map((bar) => `${result.name}: ${bar}`),
    )
    expect(broken).toEqual([])
  },
  120_000,
)
