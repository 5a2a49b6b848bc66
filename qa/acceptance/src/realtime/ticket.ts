import { ApiError, type RealtimeSessionRequest, type RealtimeSessionTicket, type Scope } from '@parley/sdk'
import { sharedAgent } from '../common-agent.js'
import { Unmet } from '../expectations.js'
import { Skipped } from '../skipped.js'
import type { Visit } from '../visit.js'
import type { Session } from './session.js'

/** The scopes for opening a session and for removing its conversation. */
export const sessionScopes: readonly Scope[] = ['agent:write', 'conversation:write', 'realtime:create']

const hints: Readonly<Record<string, string>> = {
  RealtimeNotEnabled: 'realtime is off',
  RealtimeUnsupportedConnection: 'the connection has no realtime (--connection names another)',
  RealtimeUnsupportedModel: 'the connection has no realtime model (--connection names another)',
}

/** Requests a session. Skips the check if the deployment has no realtime provider. */
export async function createTicket(
  visit: Visit,
  request: RealtimeSessionRequest = {},
): Promise<RealtimeSessionTicket> {
  return visit.parley.realtimeSessions.create(await sharedAgent(visit), request).catch(skipWithoutRealtime)
}

export function skipWithoutRealtime(error: unknown): never {
  const hint = error instanceof ApiError ? hints[error.errorCode ?? ''] : undefined
  if (error instanceof ApiError && hint !== undefined) throw new Skipped(`${hint}: ${error.message}`)
  throw error
}

/** Opens a session. Fails the check if that is not possible. */
export async function openTicket(visit: Visit, { webSocketPath }: RealtimeSessionTicket): Promise<Session> {
  const opening = await visit.open(webSocketPath)
  if (opening.ok) return opening.session
  const from = opening.errorCode === null ? 'not from Parley' : opening.errorCode
  throw new Unmet('a WebSocket (101)', `HTTP ${opening.status}, ${from}: ${opening.text}`)
}

/** Opens a session by its ticket and waits until the provider has created it. */
export async function startSession(
  visit: Visit,
  request: RealtimeSessionRequest = {},
): Promise<{ readonly ticket: RealtimeSessionTicket; readonly session: Session }> {
  const ticket = await createTicket(visit, request)
  const session = await openTicket(visit, ticket)
  await session.next('session.created')
  return { ticket, session }
}
