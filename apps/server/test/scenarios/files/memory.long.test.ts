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

/** What a process takes of memory now, in bytes. */
async function memoryOf(processId: number): Promise<number> {
  const status = await readFile(`/proc/${processId}/status`, 'utf8').catch(() => null)
  // Where the system shows no such files, it has a program for it.
  const kibibytes = status
    ? /VmRSS:\s+(\d+)/.exec(status)?.[1]
    : (await run('ps', ['-o', 'rss=', '-p', `${processId}`])).stdout
  return Number(kibibytes) * 1024
}

/** The most memory that a process takes while `act` is under way. */
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
 * What is loaded, compiled and grown once, with the first, is not what a file takes; nor are the pages that the embedded
 * database keeps of whatever was written: before a file that is measured, nearly as much is stored in small ones.
 */
const firstCount = { postgres: 1, embedded: 5 } as const
const files = Object.entries(filesOfSize).map(([kind, make]) => ({
  kind,
  first: make(3 * mebibyte),
  measured: make(20 * mebibyte - 10),
}))

/**
 * What the service does with each kind it does for every database. The embedded one, whose memory is the service's own,
 * has the kind of which it stores most: contents and passages.
 */
const storedIn = (database: DatabaseKind) =>
  files.filter(({ kind }) => (kind === 'text') === (database === 'embedded'))

describe.each(databaseKinds)('on %s [FILE-3]', (database) => {
  test(`a file of 20 MB takes less than ${allowedMebibytes} MiB of memory`, {
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
