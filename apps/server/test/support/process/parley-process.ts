import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, vi } from 'vitest'
import { findProgram } from '../../../bin/programs.mjs'
import type { Credentials } from '../api-client.js'
import { copyMigratedDatabase } from '../services/embedded-data.js'
import { migratedDatabase } from '../services/migrated-database.js'
import { createPostgresDatabase, type PostgresDatabase } from '../services/postgres-database.js'
import { temporaryParent } from '../services/temporary-parent.js'
import { inTerminal } from './terminal.js'

const ownProgram = fileURLToPath(findProgram('main'))

/** The time limit for a process on a busy machine. */
export const patiently = { timeout: 60_000, interval: 50 }

/** The time limit for tests that start several processes in sequence. */
export const slow = { timeout: 120_000 }

export interface Ending {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface ParleyProcess {
  readonly child: ChildProcess
  /** The working folder. The data is in its `data` folder unless the settings say otherwise. */
  readonly directory: string
  /** All output so far. */
  stdout(): string
  stderr(): string
  /** Resolves with the address when it serves. Rejects if the process ends first. */
  ready(): Promise<string>
  /** The exit status, after all output has arrived. */
  readonly ended: Promise<Ending>
  signal(name: NodeJS.Signals): void
}

export interface StartOptions {
  readonly directory?: string
  readonly env?: Readonly<Record<string, string>>
  /** Runs another build of the service. */
  readonly program?: string
  /** Runs with a terminal, whose keyboard is the standard input. */
  readonly inTerminal?: boolean
  /** Runs as another user. */
  readonly user?: { readonly uid: number; readonly gid: number }
}

const cleanups: (() => Promise<unknown>)[] = []

/** Ends every process and removes its files. For `afterEach` or `afterAll`. */
export async function cleanUp(): Promise<void> {
  const failures: unknown[] = []
  for (const undo of cleanups.splice(0).reverse()) await undo().catch((error) => failures.push(error))
  expect(failures).toEqual([])
}

export async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(await temporaryParent(), 'parley-process-'))
  cleanups.push(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/** Creates a folder whose `data` has a migrated embedded database before its first start. */
export async function newMigratedDirectory(): Promise<string> {
  const directory = await newDirectory()
  const dataDir = join(directory, 'data')
  await mkdir(dataDir, { mode: 0o700 })
  await copyMigratedDatabase(dataDir)
  return directory
}

/** Returns settings for a migrated PostgreSQL database before its first start. */
export function newPostgres(): Promise<PostgresSettings> {
  return settingsFor(migratedDatabase())
}

export function newEmptyPostgres(): Promise<PostgresSettings> {
  return settingsFor(createPostgresDatabase())
}

type PostgresSettings = Readonly<Record<'DATABASE_URL' | 'PARLEY_SECRET', string>>

async function settingsFor(creating: Promise<PostgresDatabase>): Promise<PostgresSettings> {
  const database = await creating
  cleanups.push(() => database.drop())
  return { DATABASE_URL: database.url, PARLEY_SECRET: 'a secret for tests that is long enough' }
}

/** Runs the service in its own process with only the given environment. */
export async function startParley({
  directory,
  env = {},
  program = ownProgram,
  inTerminal: hasTerminal = false,
  user,
}: StartOptions = {}): Promise<ParleyProcess> {
  const cwd = directory ?? (await newDirectory())
  const command = hasTerminal
    ? inTerminal(`exec ${process.execPath} ${program}`)
    : [process.execPath, program]
  const [name = '', ...args] = command
  const child = spawn(name, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, PORT: '0', ...(hasTerminal && { TERM: 'xterm' }), ...env },
    ...user,
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text
  })
  let ending: Ending | undefined
  const ended = new Promise<Ending>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      ending = { code, signal }
      resolve(ending)
    })
  })

  // Ends the process even if the test's own process dies.
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  cleanups.push(async () => {
    kill()
    await ended
    process.removeListener('exit', kill)
  })

  return {
    child,
    directory: cwd,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    async ready() {
      const url = await vi.waitUntil(
        () =>
          /^ +API +(\S+)\/api\/v1/m.exec(hasTerminal ? output.stdout : output.stderr)?.[1] ??
          (ending && 'ended'),
        patiently,
      )
      if (url === 'ended') throw new Error(`The process has ended: ${output.stderr || output.stdout}`)
      return url
    },
    ended,
    signal: (signal) => void child.kill(signal),
  }
}

/** The same credentials for every process of a file, as settings. */
export const bootstrap = {
  PARLEY_BOOTSTRAP_ORG_ID: '019a0000-0000-7000-8000-00000000a11c',
  PARLEY_BOOTSTRAP_API_KEY: `prl_TestKey1_${'x'.repeat(43)}`,
}

export const credentials: Credentials = {
  organizationId: bootstrap.PARLEY_BOOTSTRAP_ORG_ID,
  apiKey: bootstrap.PARLEY_BOOTSTRAP_API_KEY,
}
