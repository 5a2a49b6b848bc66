import { rm } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DataDirectoryInUse } from '#embedded-database/data-directory-lock.js'
import { openEmbeddedDatabase } from '#embedded-database/open-embedded-database.js'
import { type ChildProgram, runProgram } from './support/child-program.js'
import { makeDataDirectory, openTemporaryDatabase } from './support/temporary-database.js'

let dataDir: string
const programs: ChildProgram[] = []

beforeEach(async () => {
  dataDir = await makeDataDirectory()
})

afterEach(async () => {
  await Promise.all(programs.splice(0).map((program) => program.kill()))
  await rm(dataDir, { recursive: true, force: true })
})

function run(name: string, ...args: readonly string[]): ChildProgram {
  const program = runProgram(name, ...args)
  programs.push(program)
  return program
}

describe('A killed process', { timeout: 120_000 }, () => {
  test('loses no acknowledged row and leaves no partial transaction [DB-3]', async () => {
    const acknowledged: number[] = []
    for (let round = 0; round < 2; round += 1) {
      const writer = run('write-rows.mjs', dataDir, String(round * 100_000))
      for (let line = 0; line < 150 + 50 * round; line += 1)
        acknowledged.push(Number(await writer.nextLine()))
      writer.child.kill('SIGKILL')
      for (let line = await writer.nextLine(); line !== null; line = await writer.nextLine())
        acknowledged.push(Number(line))
      await writer.exited
    }
    const { pool, close } = await openEmbeddedDatabase({ dataDir, onCrash: () => {} })
    const { rows } = await pool.query<{ n: number; parts: number }>(
      'select n, count(distinct part)::int as parts from number group by n',
    )
    await close()
    const kept = new Set(rows.map(({ n }) => n))
    expect(acknowledged.length).toBeGreaterThan(300)
    expect(acknowledged.filter((n) => !kept.has(n))).toEqual([])
    expect(rows.filter(({ parts }) => parts !== 3)).toEqual([])
  })
})

describe('A process that uses the database', { timeout: 60_000 }, () => {
  test.each(['close', 'leave'])('exits on its own after its work: %s', async (how) => {
    const program = run('use-and-leave.mjs', dataDir, how)
    expect(await program.nextLine()).toBe('1')
    expect(await program.exited).toBe(0)
  })
})

describe('A data directory in use', { timeout: 60_000 }, () => {
  test('cannot be opened by another process, nor twice by the same [DB-4]', async () => {
    const database = await openTemporaryDatabase({ drainMilliseconds: 100 })
    const other = run('use-and-leave.mjs', database.dataDir, 'close')
    expect(await other.nextLine()).toContain(`${database.dataDir} is in use by process ${process.pid} `)
    expect(await other.exited).toBe(0)
    await expect(
      openEmbeddedDatabase({ dataDir: database.dataDir, onCrash: () => {} }),
    ).rejects.toBeInstanceOf(DataDirectoryInUse)
    expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await database.close()
  })

  test('can be closed twice, and does not wait forever for a connection that is never released', async () => {
    const database = await openTemporaryDatabase({ drainMilliseconds: 100 })
    const client = await database.pool.connect()
    await client.query('begin')
    await Promise.all([database.close(), database.close()])
    await expect(client.query('select 1')).rejects.toThrow()
    expect(database.crashes).toEqual([])
  })
})

describe('A crash of the database', { timeout: 60_000 }, () => {
  const crashingQuery = `select (repeat('[', 2000000) || repeat(']', 2000000))::jsonb`

  test('is reported once, and waiting and later queries fail', async () => {
    const database = await openTemporaryDatabase()
    const owner = await database.pool.connect()
    await owner.query('begin')
    const outcomes = Promise.allSettled([
      ...Array.from({ length: 6 }, () => database.pool.query('select 1')),
      owner.query(crashingQuery),
    ])
    const error = await database.crashed
    expect(error.message).toContain('failed during a statement')
    expect((await outcomes).map(({ status }) => status)).toEqual(Array(7).fill('rejected'))
    owner.release()
    await expect(database.pool.query('select 1')).rejects.toThrow('is closed')
    await database.close()
    expect(database.crashes).toEqual([error])
  })

  test('is detected if a statement never ends', async () => {
    const database = await openTemporaryDatabase({ statementLimitMilliseconds: 500 })
    const endless = database.pool.query(
      'with recursive n as (select 1 union all select 1 from n) select count(*) from n',
    )
    await expect(endless).rejects.toThrow()
    expect((await database.crashed).message).toContain('busy for 0.5 s')
    await database.close()
    expect(database.crashes).toHaveLength(1)
  })
})
