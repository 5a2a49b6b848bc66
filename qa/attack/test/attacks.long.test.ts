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
 * The attacks of `npm run attack` at a smaller scale: fewer at a time, but each payload has its full size.
 * The limits allow for other load on the machine. The faults that these attacks found took from 6 seconds to
 * 15 minutes, and hundreds of megabytes. On a busy machine an ordinary call takes a second or two.
 */
const bars: Bars = { p99Milliseconds: 5000, longestMilliseconds: 5000, memoryGrowth: 1 }
const scale = 0.005

/**
 * The attacks of a round run together. The engine's attack is left out, because its models load too slowly.
 */
const rounds = {
  postgres: [
    ['bad-keys', 'bad-tokens', 'slow-requests', 'huge-headers'],
    ['nested-json', 'heavy-lists', 'unread-answers', 'markdown', 'slow-documents'],
    ['unread-pings', 'approvals-of-nothing', 'frame-flood', 'session-flood'],
    ['tool-answers', 'many-secrets', 'tool-schemas', 'mcp-listing'],
    ['long-answers', 'turn-flood', 'sub-agents', 'provider-flood'],
  ],
  // These are only the attacks that reach the database, because all requests share its one connection. The
  // others behave the same on both databases.
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
  "one organization's load does not affect another (%s) [BND-12]",
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
