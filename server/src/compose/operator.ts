import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { DataDirectoryInUse } from '../adapters/database/embedded/open-embedded-database.js'
import { openCurrentDatabase } from '../adapters/database/open-database.js'
import { commandThroughDoor } from '../adapters/operator-door/door-access.js'
import { listenOnDoor } from '../adapters/operator-door/door-socket.js'
import { systemClock } from '../adapters/system/clock.js'
import type { Config } from '../config/config.js'
import { sealAuditLog } from '../domain/audit/seal.js'
import { DomainError } from '../domain/domain-error.js'
import { Limits } from '../domain/limits/organization-limits.js'
import type { Operator, OperatorAccess, OperatorAct, OperatorWorld } from '../domain/operator/operator-act.js'
import { makeOperatorDoor } from '../edge/operator/operator-door.js'
import type { Log } from '../ports/log.js'
import { composeFoundation } from './foundation.js'

/** How long a service that is starting or stopping is waited for. */
const busyMilliseconds = 20_000
const retryMilliseconds = 200

export interface OperatorDoor {
  close(): Promise<void>
}

/** Lets the operator's command in while this process has the embedded database open. */
export async function openDoor(
  dataDir: string,
  { log, ...world }: OperatorWorld & { readonly log: Log },
): Promise<OperatorDoor> {
  const server = makeOperatorDoor({ world, log })
  await listenOnDoor(resolve(dataDir), server)
  return { close: () => new Promise((done) => server.close(() => done())) }
}

/**
 * The operator's way in. PostgreSQL takes everybody. The embedded database has one process: where that is the service,
 * it does the work on our behalf, and otherwise this process opens it for as long as the command takes.
 */
export function makeOperatorAccess(config: Config, log: Log): OperatorAccess {
  const { database } = config
  const operator = { name: accountName() }
  let direct: Promise<DirectAccess> | undefined

  async function runDirectly<Input, Output>(act: OperatorAct<Input, Output>, input: Input): Promise<Output> {
    direct ??= openDirectly(config, operator, log)
    direct.catch(() => {
      direct = undefined
    })
    return (await direct).run(act, input)
  }

  async function runEmbedded<Input, Output>(
    dataDir: string,
    act: OperatorAct<Input, Output>,
    input: Input,
  ): Promise<Output> {
    const deadline = performance.now() + busyMilliseconds
    for (;;) {
      const reply = await commandThroughDoor(resolve(dataDir), { act: act.name, operator, input })
      if (reply?.ok === true) return act.output.parse(reply.result)
      if (reply?.ok === false) throw new OperatorRefusal(reply.code, reply.detail)
      requireDatabaseIn(dataDir)
      try {
        return await runDirectly(act, input)
      } catch (error) {
        if (!(error instanceof DataDirectoryInUse) || performance.now() > deadline) throw error
        await wait(retryMilliseconds)
      }
    }
  }

  return {
    run: (act, input) =>
      database.kind === 'embedded' ? runEmbedded(database.dataDir, act, input) : runDirectly(act, input),
    async close() {
      await (await direct)?.close()
    },
  }
}

/** What the running service refused. */
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
  close(): Promise<void>
}

async function openDirectly(config: Config, operator: Operator, log: Log): Promise<DirectAccess> {
  const fail = (error: Error) => {
    throw error
  }
  const database = await openCurrentDatabase(config.database, log, fail)
  // Nobody collects the figures of a command.
  const limits = new Limits({ maxima: config.organization, metrics: { limitReached: () => undefined } })
  const foundation = await composeFoundation(config, { database, clock: systemClock, limits })
  return {
    run: (act, input) => act.perform(foundation, operator, input),
    async close() {
      // Nobody else may be there to do it, and what was done should not wait unsealed.
      await sealAuditLog(database)
      await Promise.all([foundation.providerDoors.close(), foundation.outbound.close()])
      await database.close()
    },
  }
}

/** A command is no first start: it would make a database that shows nobody its key. */
function requireDatabaseIn(dataDir: string): void {
  const path = resolve(dataDir)
  if (!existsSync(join(path, 'database', 'PG_VERSION')))
    throw new DomainError(
      'NotFound',
      `There is no database in ${path} yet. parley start makes it; PARLEY_DATA_DIR says where it is.`,
    )
}

function accountName(): string | null {
  try {
    return userInfo().username
  } catch {
    // An account without a name, as containers have.
    return null
  }
}
