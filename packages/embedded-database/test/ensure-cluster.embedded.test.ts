import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { postgresMajorVersion } from '#embedded-database/cluster-settings.js'
import { lockDataDirectory } from '#embedded-database/data-directory-lock.js'
import { ensureCluster, templateDirectory } from '#embedded-database/ensure-cluster.js'
import { openEmbeddedDatabase } from '#embedded-database/open-embedded-database.js'
import { makeDataDirectory } from './support/temporary-database.js'

let parent: string
let dataDir: string

beforeEach(async () => {
  parent = await makeDataDirectory()
  dataDir = join(parent, 'some', 'data')
})

afterEach(() => rm(parent, { recursive: true, force: true }))

function open(template = templateDirectory) {
  const onCrash = (error: Error) => {
    throw error
  }
  return openEmbeddedDatabase({ dataDir, onCrash }, { template })
}

const modeOf = async (path: string) => (await stat(path)).mode & 0o777

describe('The data directory', { timeout: 180_000 }, () => {
  test('is created at the first start, only for its owner, and reused at the next', async () => {
    const first = await open()
    expect(await modeOf(dataDir)).toBe(0o700)
    expect(await modeOf(join(dataDir, 'database'))).toBe(0o700)
    expect((await readdir(dataDir)).sort()).toEqual(['database', 'lock'])
    await first.pool.query('create table kept as select 1 as one')
    await first.close()
    await expect(first.pool.query('select 1')).rejects.toThrow()
    const second = await open()
    expect((await second.pool.query('select one from kept')).rows).toEqual([{ one: 1 }])
    await second.close()
  })

  test('is created again if an earlier start was killed midway', async () => {
    await mkdir(join(dataDir, 'database.partial', 'base'), { recursive: true })
    await writeFile(join(dataDir, 'database.partial', 'PG_VERSION'), postgresMajorVersion)
    await writeFile(join(dataDir, 'database.partial', 'half'), '')
    const directory = await ensureCluster(dataDir, templateDirectory)
    expect(await readdir(dataDir)).toEqual(['database'])
    expect((await readdir(directory)).sort()).toEqual((await readdir(templateDirectory)).sort())
  })

  test('can be created without a template, in the expected version', async () => {
    const database = await open(join(parent, 'absent'))
    const { rows } = await database.pool.query(
      "select current_setting('server_version_num')::int / 10000 as major, current_setting('wal_segment_size') as segment",
    )
    expect(rows).toEqual([{ major: Number(postgresMajorVersion), segment: '1MB' }])
    expect((await readdir(dataDir)).sort()).toEqual(['database', 'lock'])
    await database.close()
  })

  test('is rejected and unchanged if it has another major version', async () => {
    const versionFile = join(dataDir, 'database', 'PG_VERSION')
    await mkdir(join(dataDir, 'database'), { recursive: true })
    await writeFile(versionFile, '17\n')
    for (let attempt = 0; attempt < 2; attempt += 1)
      await expect(open()).rejects.toThrow(/created by PostgreSQL 17, but this version of Parley needs 18/)
    expect(await readFile(versionFile, 'utf8')).toBe('17\n')
  })

  test('is rejected if it contains something else than a database', async () => {
    await mkdir(join(dataDir, 'database'), { recursive: true })
    await writeFile(join(dataDir, 'database', 'notes.txt'), '')
    await expect(open()).rejects.toThrow('contains no database')
  })

  test('is unlocked if its database cannot be opened', async () => {
    await mkdir(join(dataDir, 'database'), { recursive: true })
    await writeFile(join(dataDir, 'database', 'PG_VERSION'), `${postgresMajorVersion}\n`)
    await expect(open()).rejects.toThrow(`The database in ${join(dataDir, 'database')} cannot be opened: `)
    const lock = await lockDataDirectory(dataDir)
    await lock.release()
  })
})
