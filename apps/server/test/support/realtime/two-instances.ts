import { afterAll, beforeAll } from 'vitest'
import type { PostgresDatabase } from '../services/postgres-database.js'
import { migratedDatabase, type RunningService, startService } from '../start-service.js'
import type { TestClock } from '../test-clock.js'
import { openSocket } from './open-socket.js'
import { type RefundService, useRefundService } from './refund-service.js'
import type { ToolSession } from './tool-calls.js'

export interface TwoInstances {
  /** The first instance, with the provider and the tools of both. */
  readonly refunds: RefundService
  readonly other: RunningService
  /** Starts one more instance. The caller closes it. */
  start(env?: Readonly<Record<string, string>>): Promise<RunningService>
  /** Creates a session on the first instance and opens it on another one. */
  openOn(instance: RunningService, agentId: string, conversationId?: string): Promise<ToolSession>
}

/** Starts two instances on one database before the tests of a file, and ends them after. */
export function useTwoInstances(options: { readonly clock?: TestClock } = {}): TwoInstances {
  let postgres: PostgresDatabase
  let other: RunningService
  const settings = () => ({ DATABASE_URL: postgres.url, PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' })
  const start: TwoInstances['start'] = (env = {}) =>
    startService({ ...options, env: { ...settings(), ...env } })
  beforeAll(async () => {
    postgres = await migratedDatabase()
  })
  // Vitest runs `afterAll` in reverse order: the database is dropped last.
  afterAll(() => postgres.drop())
  const refunds = useRefundService(() => ({ ...options, env: settings() }))
  beforeAll(async () => {
    other = await start()
  })
  afterAll(() => other.close())
  return {
    refunds,
    start,
    get other() {
      return other
    },
    async openOn({ url }, agentId, conversationId) {
      const ticket = await refunds.running.createTicket(conversationId ? { conversationId } : {}, agentId)
      const client = await openSocket(url, ticket.webSocketPath)
      const provider = await refunds.running.provider.accept()
      await provider.inbox.takeType('session.update')
      return { ticket, client, provider, agentId }
    },
  }
}
