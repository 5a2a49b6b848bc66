import { randomUUID } from 'node:crypto'
import type { Scope } from '@parley/sdk'
import type { HeldScopes } from './run.js'
import type { Visit } from './visit.js'

const nobody = randomUUID()

type Probe = readonly [scope: Scope, method: string, path: string, body?: object]

/*
 * These calls change nothing because the resources that they name do not exist. The service checks the scope first,
 * so 403 means that the key lacks the scope, and 404 that it has it.
 */
const probes: readonly Probe[] = [
  ['agent:read', 'GET', `/api/v1/Agent/${nobody}`],
  ['agent:write', 'DELETE', `/api/v1/Agent/${nobody}`],
  ['connection:read', 'GET', `/api/v1/Connection/${nobody}`],
  ['conversation:read', 'GET', `/api/v1/Conversation/${nobody}`],
  ['conversation:write', 'DELETE', `/api/v1/Conversation/${nobody}`],
  ['task:read', 'GET', `/api/v1/Task/${nobody}`],
  ['task:write', 'DELETE', `/api/v1/Task/${nobody}`],
  ['file:read', 'GET', `/api/v1/TemporaryFile/${nobody}`],
  ['file:write', 'DELETE', `/api/v1/TemporaryFile/${nobody}`],
  ['question:ask', 'GET', `/api/v1/Conversation/${nobody}/turn/${nobody}`],
  ['realtime:create', 'POST', `/api/v1/Agent/${nobody}/realtime-session`, {}],
  [
    'approval:decide',
    'POST',
    `/api/v1/Conversation/${nobody}/approval`,
    { callId: 'none', decision: 'reject' },
  ],
  ['audit:read', 'GET', '/api/v1/AuditLog?Limit=1'],
  ['org:manage', 'GET', `/api/v1/ApiKey/${nobody}`],
]

/** The scopes of the key, among those that the checks need. */
export async function findScopes(visit: Visit): Promise<HeldScopes> {
  const answers = await Promise.all(
    probes.map(async ([scope, method, path, body]) => ({
      scope,
      ...(await visit.send(path, { method, ...(body && { body }) })),
    })),
  )
  if (answers.some(({ status }) => status === 401)) return { ok: false, reason: 'the key was rejected (401)' }
  const held = answers.filter(({ status }) => status !== 403).map(({ scope }) => scope)
  return { ok: true, scopes: new Set(held) }
}
