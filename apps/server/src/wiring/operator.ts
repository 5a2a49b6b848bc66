import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { DataDirectoryInUse } from '@parley/embedded-database/data-directory-lock'
import { backupStream } from '../adapters/backup-file/backup-file.js'
import { backupThroughDoor, commandThroughDoor } from '../adapters/operator-door/door-access.js'
import { listenOnDoor } from '../adapters/operator-door/door-socket.js'
import { systemClock } from '../adapters/system/clock.js'
import type { Config } from '../config/config.js'
import { sealAuditLog } from '../domain/audit/seal.js'
import { DomainError } from '../domain/domain-error.js'
import { Limits } from '../domain/limits/organization-limits.js'
import { takeBackup } from '../domain/operator/backup.js'
import type { Operator, OperatorAccess, OperatorAct, OperatorWorld } from '../domain/operator/operator-act.js'
import { makeOperatorDoor } from '../edge/operator/operator-door.js'
import type { BackupArchive } from '../ports/database.js'
import type { Log } from '../ports/log.js'
import { version } from '../version.js'

/** How long the command waits for a service that is starting or stopping. */
const busyMilliseconds = 20_000
const retryMilliseconds = 200

export interface OperatorDoor {
  close(): Promise<void>
}

/** Accepts the operator's commands while this process has the embedded database open. */
export async function openDoor(
  dataDir: string,
  { log, ...world }: OperatorWorld & { readonly log: Log },
): Promise<OperatorDoor> {
  const server = makeOperatorDoor({ world, log, packBackup })
  await listenOnDoor(resolve(dataDir), server)
  return { close: () => new Promise((done) => server.close(() => done())) }
}

const packBackup = (backup: BackupArchive) => backupStream({ ...backup, parley: version }, backup.archive)

/**
 * Runs the operator's commands. Several processes can use PostgreSQL, but only one can open the embedded
 * database. If the service has it open, the service runs the command for us. Otherwise, this process opens
 * the database for the duration of the command.
 */
export function makeOperatorAccess(config: Config, log: Log): OperatorAccess {
  const { database } = config
  const operator = { name: accountName() }
  let direct: Promise<DirectAccess> | undefined

  function openOnce(): Promise<DirectAccess> {
    direct ??= openDirectly(config, operator, log)
    direct.catch(() => {
      direct = undefined
    })
    return direct
  }

  async function runThroughDoor<Input, Output>(
    dataDir: string,
    act: OperatorAct<Input, Output>,
    input: Input,
  ): Promise<{ readonly result: Output } | null> {
    const reply = await commandThroughDoor(resolve(dataDir), { act: act.name, operator, input })
    if (reply === null) return null
    if (!reply.ok) throw new OperatorRefusal(reply.code, reply.detail)
    return { result: act.output.parse(reply.result) }
  }

  async function takeThroughDoor(dataDir: string): Promise<{ readonly result: Readable } | null> {
    const reply = await backupThroughDoor(resolve(dataDir), operator)
    if (reply === null) return null
    if (!reply.ok) throw new OperatorRefusal(reply.code, reply.detail)
    return { result: reply.bytes }
  }

  /**
   * Uses the operator's socket if a service listens there. Otherwise, opens the database directly. Waits for
   * a service that is starting or stopping.
   */
  async function reach<Result>(
    dataDir: string,
    throughDoor: () => Promise<{ readonly result: Result } | null>,
    directly: (access: DirectAccess) => Promise<Result>,
  ): Promise<Result> {
    const deadline = performance.now() + busyMilliseconds
    for (;;) {
      const reached = await throughDoor()
      if (reached !== null) return reached.result
      requireDatabaseIn(dataDir)
      try {
        return await directly(await openOnce())
      } catch (error) {
        if (!(error instanceof DataDirectoryInUse) || performance.now() > deadline) throw error
        await wait(retryMilliseconds)
      }
    }
  }

  return {
    async run(act, input) {
      if (database.kind === 'postgres') return (await openOnce()).run(act, input)
      const { dataDir } = database
      return reach(
        dataDir,
        () => runThroughDoor(dataDir, act, input),
        (access) => access.run(act, input),
      )
    },
    async backup() {
      if (database.kind === 'postgres') return (await openOnce()).backup()
      const { dataDir } = database
      return reach(
        dataDir,
        () => takeThroughDoor(dataDir),
        (access) => access.backup(),
      )
    },
    async close() {
      await (await direct)?.close()
    },
  }
}

/** An error that the running service returned. */
class OperatorRefusal extends Error {
  readonly code: string

  constructor(code: string, detail: string) {
    super(detail)
    this.name = 'OperatorRefusal'
    this.code = code
  }
}

interface DirectAccess {
  run<Input, Output>(act: OperatorAct<Input, Output>, input: Input): Promise<Output>
  backup(): Promise<Readable>
  close(): Promise<void>
}

async function openDirectly(config: Config, operator: Operator, log: Log): Promise<DirectAccess> {
  // Commands through the socket do not need these modules. Without them, a command takes half the processor
  // time.
  const [{ openCurrentDatabase }, { composeFoundation }, { openWithSecrets }] = await Promise.all([
    import('../adapters/database/open-database.js'),
    import('./foundation.js'),
    import('./open-with-secrets.js'),
  ])
  const fail = (error: Error) => {
    throw error
  }
  const opened = await openWithSecrets(config, { log, onCrash: fail }, openCurrentDatabase)
  const { database } = opened
  // The metrics of a command are not collected.
  const limits = new Limits({ maxima: config.organization, metrics: { limitReached: () => undefined } })
  const foundation = await composeFoundation(config, { opened, clock: systemClock, limits })
  return {
    run: (act, input) => act.perform(foundation, operator, input),
    backup: async () => packBackup(await takeBackup(foundation, operator)),
    async close() {
      // Seals the records of this command, because no service may be running to do it. Ignores failures, for
      // example because of a wrong secret or a broken chain. The service reports these, and the command
      // itself has succeeded.
      await sealAuditLog(foundation).catch(() => undefined)
      await Promise.all([foundation.providerOutbound.close(), foundation.outbound.close()])
      await database.close()
    },
  }
}

/**
 * A command must not trigger the first start, because it would create a database without showing its API key
 * to anyone.
 */
function requireDatabaseIn(dataDir: string): void {
  const path = resolve(dataDir)
  if (!existsSync(join(path, 'database', 'PG_VERSION')))
    throw new DomainError(
      'NotFound',
      `There is no database in ${path} yet. Run \`parley start\` to create it, or set PARLEY_DATA_DIR to its directory.`,
    )
}

function accountName(): string | null {
  try {
    return userInfo().username
  } catch {
    // Accounts in containers may have no name.
    return null
  }
}
