import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DataDirectoryInUse, lockDataDirectory } from '#embedded-database/data-directory-lock.js'
import { type ChildProgram, runProgram } from './support/child-program.js'
import { makeDataDirectory } from './support/temporary-database.js'

let dataDir: string
const programs: ChildProgram[] = []

beforeEach(async () => {
  dataDir = await makeDataDirectory()
})

afterEach(async () => {
  await Promise.all(programs.splice(0).map((program) => program.kill()))
  await rm(dataDir, { recursive: true, force: true })
})

function lockInChild(directory = dataDir): ChildProgram {
  const program = runProgram('lock-data-directory.mjs', directory)
  programs.push(program)
  return program
}

describe('The lock on the data directory', () => {
  test('rejects a second process with the pid of the first and the directory [DB-4]', async () => {
    const owner = lockInChild()
    expect(await owner.nextLine()).toBe('held')
    const rejection = await lockDataDirectory(dataDir).catch((error: unknown) => error)
    expect(rejection).toBeInstanceOf(DataDirectoryInUse)
    expect(rejection).toMatchObject({ dataDir, owner: { pid: owner.child.pid } })
    expect(String(rejection)).toContain(`${dataDir} is in use by process ${owner.child.pid} `)
    expect(await lockInChild().nextLine()).toContain('DataDirectoryInUse')
  })

  test('is free after its owner was killed [DB-4]', async () => {
    for (let round = 0; round < 3; round += 1) {
      const owner = lockInChild()
      expect(await owner.nextLine()).toBe('held')
      await owner.kill()
    }
    const lock = await lockDataDirectory(dataDir)
    await lock.release()
  })

  test('is kept by a suspended process', async () => {
    const owner = lockInChild()
    expect(await owner.nextLine()).toBe('held')
    owner.child.kill('SIGSTOP')
    await expect(lockDataDirectory(dataDir)).rejects.toMatchObject({
      name: 'DataDirectoryInUse',
      owner: null,
    })
  })

  test('has one winner if several processes take it over from a dead one', async () => {
    for (let round = 0; round < 2; round += 1) {
      const contenders = Array.from({ length: 5 }, () => lockInChild())
      const answers = await Promise.all(contenders.map((contender) => contender.nextLine()))
      expect(answers.filter((answer) => answer === 'held')).toHaveLength(1)
      expect(answers.filter((answer) => answer?.startsWith('DataDirectoryInUse'))).toHaveLength(4)
      await Promise.all(contenders.map((contender) => contender.kill()))
    }
  })

  test('has one winner at a time within one process', async () => {
    let owners = 0
    async function contend(): Promise<number> {
      let wins = 0
      for (let attempt = 0; attempt < 40; attempt += 1) {
        const lock = await lockDataDirectory(dataDir).catch((error: unknown) => {
          expect(error).toBeInstanceOf(DataDirectoryInUse)
          return null
        })
        if (!lock) continue
        owners += 1
        expect(owners).toBe(1)
        wins += 1
        await new Promise((resolve) => setImmediate(resolve))
        owners -= 1
        await lock.release()
      }
      return wins
    }
    const wins = await Promise.all(Array.from({ length: 10 }, contend))
    expect(wins.reduce((sum, count) => sum + count)).toBeGreaterThan(1)
    expect((await readdir(join(dataDir, 'lock'))).length).toBeLessThanOrEqual(2)
  })

  test('is the same for all paths to the directory, even for very long ones', async () => {
    const long = join(dataDir, 'x'.repeat(100), 'y'.repeat(100))
    await mkdir(long, { recursive: true })
    const short = join(dataDir, 'short')
    await symlink(long, short)
    const lock = await lockDataDirectory(long)
    await expect(lockDataDirectory(short)).rejects.toMatchObject({ owner: { pid: process.pid } })
    await expect(lockDataDirectory(long)).rejects.toMatchObject({ owner: { pid: process.pid } })
    await lock.release()
    const other = await lockDataDirectory(short)
    await expect(lockDataDirectory(long)).rejects.toBeInstanceOf(DataDirectoryInUse)
    await other.release()
  })

  test('removes leftovers of other processes', async () => {
    const directory = join(dataDir, 'lock')
    await mkdir(directory)
    for (const name of ['3', '12', '0123abcd.new']) await writeFile(join(directory, name), '')
    const lock = await lockDataDirectory(dataDir)
    expect(await readdir(directory)).toEqual(['13'])
    await lock.release()
    expect(await readdir(directory)).toEqual(['13'])
  })
})
