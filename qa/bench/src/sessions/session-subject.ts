import { residentBytes } from '@parley/stage/processes/process-usage'
import { collectGarbage } from '@parley/stage/service/inspector'
import { startParley } from '@parley/stage/service/parley-service'
import { startPostgres } from '@parley/stage/service/postgres-process'
import { createTicket, makeSpeakingAgents } from '@parley/stage/service/speaking-agents'
import { startBareRelay } from '../relay/targets/bare-relays.js'

/** A relay for sessions, in a fresh process. */
export interface SessionSubject {
  readonly pid: number
  /** Whether creating a session is a separate step. */
  readonly hasTickets: boolean
  /** Creates a session. Returns the URL of its socket. */
  create(): Promise<string>
  /** Returns the resident memory after a garbage collection. */
  heldBytes(): Promise<number>
  stop(): Promise<void>
}

export type SubjectKind = 'postgres' | 'embedded' | 'blind'

export const subjectNames: Readonly<Record<SubjectKind, string>> = {
  postgres: 'Parley, PostgreSQL',
  embedded: 'Parley, embedded database',
  blind: 'blind relay',
}

const model = 'gpt-realtime'

export function startSubject(kind: SubjectKind, providerUrl: string): Promise<SessionSubject> {
  return kind === 'blind' ? startBlind(providerUrl) : startService(kind, providerUrl)
}

async function startService(database: 'postgres' | 'embedded', providerUrl: string): Promise<SessionSubject> {
  const postgres = database === 'postgres' ? await startPostgres() : null
  const parley = await startParley({
    isBundled: true,
    nodeOptions: ['--inspect=127.0.0.1:0'],
    env: {
      PARLEY_SECRET: 'a secret for the bench that is long enough',
      LOG_LEVEL: 'warn',
      PARLEY_ORG_MAX_SESSIONS: '10000',
      ...(postgres && { DATABASE_URL: postgres.url }),
    },
  })
  const agents = await makeSpeakingAgents(parley.api, providerUrl, [model])
  return {
    pid: parley.pid,
    hasTickets: true,
    async create() {
      const { webSocketPath } = await createTicket(parley.api, agents[model])
      return `${parley.url.replace('http', 'ws')}${webSocketPath}`
    },
    async heldBytes() {
      await collectGarbage(parley.inspectorUrl ?? '')
      return residentBytes([parley.pid])
    },
    async stop() {
      await parley.stop()
      await postgres?.stop()
    },
  }
}

async function startBlind(providerUrl: string): Promise<SessionSubject> {
  const relay = await startBareRelay('blind', providerUrl)
  const [pid = 0] = relay.pids
  return {
    pid,
    hasTickets: false,
    create: () => relay.sessionUrl(),
    async heldBytes() {
      await relay.collect()
      return residentBytes(relay.pids)
    },
    stop: () => relay.stop(),
  }
}
