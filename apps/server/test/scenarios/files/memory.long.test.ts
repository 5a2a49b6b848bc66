import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { filesOfSize, mebibyte } from '../../support/files/large-files.js'
import { type Place, upload, uploaded } from '../../support/files/upload.js'
import {
  bootstrap,
  cleanUp,
  credentials,
  newMigratedDirectory,
  newPostgres,
  startParley,
} from '../../support/process/parley-process.js'
import { type DatabaseKind, databaseKinds } from '../../support/start-service.js'

const run = promisify(execFile)
const allowedMebibytes = 60
const pollMilliseconds = 10
const timeout = 240_000

afterAll(cleanUp)

/** Returns the current memory of a process in bytes. */
async function memoryOf(processId: number): Promise<number> {
  const status = await readFile(`/proc/${processId}/status`, 'utf8').catch(() => null)
  // Systems without /proc have the ps program.
  const kibibytes = status
    ? /VmRSS:\s+(\d+)/.exec(status)?.[1]
    : (await run('ps', ['-o', 'rss=', '-p', `${processId}`])).stdout
  return Number(kibibytes) * 1024
}

/** Returns the peak memory of a process while `act` runs. */
async function mostMemoryDuring(processId: number, act: () => Promise<unknown>): Promise<number> {
  let [most, isOver] = [0, false]
  const acting = act().finally(() => {
    isOver = true
  })
  await vi.waitUntil(
    async () => {
      most = Math.max(most, await memoryOf(processId))
      return isOver
    },
    { timeout, interval: pollMilliseconds },
  )
  await acting
  return most
}

async function start(database: DatabaseKind): Promise<{ place: Place; processId: number }> {
  const parley = await startParley(
    database === 'postgres'
      ? { env: { ...bootstrap, ...(await newPostgres()) } }
      : { env: bootstrap, directory: await newMigratedDirectory() },
  )
  return { place: { url: await parley.ready(), ...credentials }, processId: parley.child.pid ?? 0 }
}

/**
 * How many files are uploaded before the measurement. The first upload loads and compiles code that later
 * ones reuse. The embedded database also keeps pages of everything written, so it first stores almost as
 * much in small files.
 */
const firstCount = { postgres: 1, embedded: 5 } as const
const files = Object.entries(filesOfSize).map(([kind, make]) => ({
  kind,
  first: make(3 * mebibyte),
  measured: make(20 * mebibyte - 10),
}))

/**
 * The service handles each kind in the same way for every database. The embedded database shares the
 * service's memory, so it gets the kind with the most stored data: contents and passages.
 */
const storedIn = (database: DatabaseKind) =>
  files.filter(({ kind }) => (kind === 'text') === (database === 'embedded'))

describe.each(databaseKinds)('the memory of uploads on %s', (database) => {
  test(`stays below ${allowedMebibytes} MiB for a file of 20 MB [FILE-3]`, {
    timeout,
  }, async () => {
    const { place, processId } = await start(database)
    for (const { kind, first, measured } of storedIn(database)) {
      for (let count = 0; count < firstCount[database]; count += 1) await uploaded(place, await first)
      const file = await measured
      const before = await memoryOf(processId)
      const most = await mostMemoryDuring(processId, async () => {
        const { status, body } = await upload(place, file)
        expect([status, body.sizeBytes]).toEqual([201, Buffer.byteLength(file.content)])
      })
      expect((most - before) / mebibyte, kind).toBeLessThan(allowedMebibytes)
    }
  })
})
