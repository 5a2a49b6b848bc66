import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { runCommand, runProgram } from '../../support/cli/run-command.js'
import {
  cleanUp,
  newDirectory,
  newMigratedDirectory,
  newPostgres,
} from '../../support/process/parley-process.js'
import { findFreePort } from '../../support/services/free-port.js'
import { startService } from '../../support/start-service.js'

interface Diagnosis {
  readonly ok: boolean
  readonly settings: readonly {
    readonly name: string
    readonly value: string | null
    readonly from: string
  }[]
  readonly findings: readonly {
    readonly check: string
    readonly level: string
    readonly says: string
    readonly todo: string | null
  }[]
}

afterAll(cleanUp)

async function diagnose(env: Readonly<Record<string, string>>, cwd: string) {
  const { code, stdout } = await runCommand(['doctor', '--json'], { env, cwd })
  const diagnosis = JSON.parse(stdout) as Diagnosis
  const levels = Object.fromEntries(diagnosis.findings.map(({ check, level }) => [check, level]))
  const find = (wanted: string) => diagnosis.findings.find(({ check }) => check === wanted)
  const says = (check: string) => find(check)?.says
  const todo = (check: string) => find(check)?.todo
  return { code, stdout, diagnosis, levels, says, todo }
}

const healthyReport = {
  settings: 'ok',
  node: 'ok',
  database: 'ok',
  migrations: 'ok',
  clock: 'ok',
  secret: 'ok',
  provider: 'ok',
  redis: 'ok',
  port: 'ok',
}

describe('parley doctor', () => {
  test('finds no problem in a running service on the embedded database [CLI-6]', async () => {
    const cwd = await newMigratedDirectory()
    const before = { PORT: String(await findFreePort()) }
    const nothing = await diagnose(before, await newDirectory())
    expect(nothing).toMatchObject({ code: 0, levels: { database: 'warn', port: 'ok' } })
    const settings = { PARLEY_DATA_DIR: join(cwd, 'data'), PARLEY_SECRET: '' }
    const { url } = await startService({ database: 'embedded', env: settings })
    const env = { PORT: new URL(url).port }
    const running = await diagnose(env, cwd)
    expect(running).toMatchObject({ code: 0, diagnosis: { ok: true }, levels: healthyReport })
    expect(running.says('port')).toContain('in use by Parley')
    expect(running.says('database')).toContain('held by a running service')
    const elsewhere = await diagnose({ PORT: String(await findFreePort()) }, cwd)
    expect(elsewhere).toMatchObject({ code: 0, levels: { ...healthyReport, port: 'warn' } })
    expect(elsewhere.says('port')).toContain('a running service holds the data directory')
    expect(running.diagnosis.settings).toContainEqual({ name: 'PORT', value: env.PORT, from: 'environment' })
    expect(running.diagnosis.settings).toContainEqual({ name: 'HOST', value: '127.0.0.1', from: 'default' })
    const { stdout } = await runProgram(['doctor'], { env, cwd })
    expect(stdout).toMatch(/^ok {5}database {4}embedded, in /m)
    expect(stdout).toMatch(/No problems found\.\n$/)
    const listed = (await runProgram(['doctor', '--settings'], { env, cwd })).stdout
    expect(listed.startsWith('ok     settings    valid\n')).toBe(true)
    expect(listed).toMatch(
      /No problems found\.\n\nThese are the settings of this command\..*\n\nSETTING .*\n(?:.*\n)*PORT +\d/,
    )
  })

  test('reports problems and what to do, shows no secret and exits with 1 [CLI-6]', async () => {
    const [cwd, postgres] = [await newDirectory(), await newPostgres()]
    await startService({ env: postgres })
    const gone = String(await findFreePort())
    const env = {
      ...postgres,
      PORT: gone,
      REDIS_URL: `redis://:hidden-word@127.0.0.1:${gone}`,
      PARLEY_SECRET: 'another secret than the one of the database',
    }
    const wrong = await diagnose(env, cwd)
    expect(wrong).toMatchObject({
      code: 1,
      diagnosis: { ok: false },
      levels: { database: 'ok', migrations: 'ok', clock: 'ok', redis: 'wrong', secret: 'wrong', port: 'ok' },
    })
    // [CLI-11] PostgreSQL leaves no secret in the data directory.
    expect(wrong.todo('secret')).toBe(
      'Set it to the one this database was set up with, or PARLEY_SECRET_PREVIOUS while you replace it.',
    )
    for (const secret of ['hidden-word', env.PARLEY_SECRET, env.DATABASE_URL])
      expect(wrong.stdout).not.toContain(secret)
    expect(wrong.diagnosis.settings).toContainEqual({
      name: 'REDIS_URL',
      value: '(set)',
      from: 'environment',
    })

    const away = await diagnose({ ...env, DATABASE_URL: `postgres://u:hidden-word@127.0.0.1:${gone}/x` }, cwd)
    expect(away).toMatchObject({ code: 1, levels: { database: 'wrong' } })
    expect(away.stdout).not.toContain('hidden-word')
    const misread = await diagnose({ PORT: '80a' }, cwd)
    expect(misread).toMatchObject({ code: 1, levels: { settings: 'wrong' } })
    expect(misread.says('settings')).toContain('PORT="80a" is not a whole number')
  })

  test('explains a wrong secret according to where this installation stores it [CLI-11]', async () => {
    const cwd = await newMigratedDirectory()
    const PARLEY_SECRET = 'another secret than the one of the database'
    const service = await startService({
      database: 'embedded',
      env: { PARLEY_DATA_DIR: join(cwd, 'data'), PARLEY_SECRET: '' },
    })
    await service.close()
    const path = join(cwd, 'data', 'secret')
    const given = await diagnose({ PARLEY_SECRET }, cwd)
    expect(given.levels.secret).toBe('wrong')
    expect(given.todo('secret')).toContain(`unset it if Parley generated the secret (${path})`)
    await writeFile(path, randomBytes(32).toString('base64'))
    const replaced = await diagnose({}, cwd)
    expect(replaced.says('secret')).toContain(path)
    expect(replaced.todo('secret')).toContain('Restore the one this database was set up with to this file')
  })

  test('the command explains what to do if nothing is built [CLI-7]', async () => {
    const checkout = await newDirectory()
    await mkdir(join(checkout, 'server'))
    const bin = fileURLToPath(new URL('../../../bin', import.meta.url))
    await cp(bin, join(checkout, 'server', 'bin'), { recursive: true })
    const program = join(checkout, 'server', 'bin', 'parley.mjs')
    const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((resolve) =>
      execFile(process.execPath, [program, 'org', 'list'], (error, _stdout, stderr) =>
        resolve({ code: error?.code, stderr }),
      ),
    )
    expect(code).toBe(1)
    expect(stderr).toContain('npm ci && npm run build')
  })
})
