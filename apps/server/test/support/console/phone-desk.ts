import type { PhoneCall, PhoneConnection, PhoneNumber } from '@parley/contract'
import { systemClock } from '#server/adapters/system/clock.js'
import { recordChange } from '#server/domain/audit/record-change.js'
import { systemCaller } from '#server/domain/caller-scope.js'
import type { PhoneCallRecord } from '#server/ports/phone-stores.js'
import type { QuestionService } from '../questions/question-service.js'
import { withPostgresClient } from '../services/postgres-connection.js'
import type { RunningService } from '../start-service.js'
import { makePhoneCall } from '../stores/phone-records.js'

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

/** Stores a call that this service runs, as the service does. By default, the call is active. */
export async function addPhoneCall(
  { service, organizationId, databaseUrl }: RunningService,
  fields: Partial<PhoneCallRecord>,
): Promise<string> {
  const call = makePhoneCall(organizationId, {
    // A recent change keeps the service from ending a call that it does not run.
    ...{ createdAt: ago(3), updatedAt: ago(-60), answeredAt: ago(2), endedAt: null },
    ...{ state: 'active', endReason: null, endDetail: null, endRequestedAt: null, tokenHash: null },
    ...{ conversationId: null, realtimeSessionId: null, endUserId: null, apiKeyId: null },
    // Without this id, the service asks no provider to end the call.
    providerCallId: null,
    ...fields,
  })
  const instanceId = await withPostgresClient(databaseUrl ?? '', async (client) => {
    const { rows } = await client.query('select instance_id from instance_lease order by renewed_at desc')
    return String(rows[0]?.instance_id)
  })
  await service.database.transaction(async (stores) => {
    await stores.phoneCalls.insert({ ...call, instanceId })
    const change = { action: 'phone_call.start', type: 'PhoneCall', id: call.id }
    await recordChange(systemClock, { stores, caller: systemCaller(organizationId) }, change)
  })
  return call.id
}

/** Ends a call as its instance does, unless the service has ended it. */
export async function endPhoneCall(
  { databaseUrl }: RunningService,
  id: string,
  reason: PhoneCall['endReason'],
): Promise<void> {
  await withPostgresClient(databaseUrl ?? '', (client) =>
    client.query(
      `update phone_call set state = 'ended', ended_at = now(), updated_at = now(), end_reason = $2
       where id = $1 and ended_at is null`,
      [id, reason],
    ),
  )
}

interface DeskPhone {
  readonly connection: PhoneConnection
  readonly number: PhoneNumber
}

interface DeskNames {
  readonly name?: string
  readonly connectionName?: string
  /** The names of a SIP account, a Telnyx account and an Asterisk. */
  readonly otherNames?: readonly [string, string, string]
}

/** Adds a phone connection that the provider accepts, others of other kinds, and a number that the agent answers. */
async function addDeskPhone(
  { running: { client, databaseUrl }, tools }: QuestionService,
  agentId: string,
  { name = 'Reception', connectionName = 'Hotel account', otherNames }: DeskNames,
): Promise<DeskPhone> {
  const create = async <Resource>(path: string, body: object) => {
    const made = await client.call<Resource>('POST', `/api/v1/${path}`, { body })
    if (made.status !== 201) throw new Error(made.text)
    return made.body
  }
  const [sip, telnyx, asterisk] = otherNames ?? ['Front desk', 'Call center', 'Annex']
  const registered = await create<PhoneConnection>('PhoneConnection', {
    ...{ name: sip, kind: 'sip', accountId: '4930123456', secret: 'a-password', allowedPrefixes: ['+49'] },
    sip: { host: 'sip.example.invalid', transport: 'tls', encryption: 'required' },
  })
  const failed = await create<PhoneConnection>('PhoneConnection', {
    ...{ name: telnyx, kind: 'telnyx', accountId: '1494404757140276705', secret: 'an-api-key' },
    ...{ webhookSecret: 'a-public-key', baseUrl: tools.url },
  })
  await create('PhoneConnection', {
    name: asterisk,
    kind: 'asterisk',
    accountId: 'annex',
    secret: 'a-password',
  })
  // The service sets these columns when it registers, and after a request.
  await withPostgresClient(databaseUrl ?? '', async (database) => {
    const set = 'update phone_connection set checked_at = now(), failure = $2 where id = $1'
    await database.query(set, [registered.id, null])
    await database.query(set, [
      failed.id,
      'The provider answered 401: it rejected the account or its secret. Enter a new API key.',
    ])
  })
  const connection = await create<PhoneConnection>('PhoneConnection', {
    ...{ name: connectionName, kind: 'twilio', accountId: 'AC1', secret: 'an-auth-token' },
    ...{ baseUrl: tools.url, allowedPrefixes: ['+49', '+43', '+41'] },
    quietHours: { from: '21:00', to: '08:00', timeZone: 'Europe/Berlin' },
  })
  const number = await create<PhoneNumber>('PhoneNumber', {
    ...{ name, number: '+4930123456', phoneConnectionId: connection.id, agentId },
    ...{ greeting: 'Blue Hotel, good day.', blockedCallers: ['+1900'] },
    transferTargets: [{ name: 'Night porter', number: '+4930654321' }],
  })
  const asked = tools.expect('GET /2010-04-01/Accounts/AC1.json')
  await client.call('POST', `/api/v1/PhoneConnection/${connection.id}/test`)
  await asked
  return { connection, number }
}

interface Spoken {
  readonly agentId: string
  readonly spokenId: string
  readonly sessionId: string
  readonly endUserId: string
}

/** Adds an ended call, a failed one and an active one, which is returned. */
export async function fillDeskPhone(
  service: QuestionService,
  { agentId, spokenId, sessionId, endUserId }: Spoken,
  names: DeskNames = {},
): Promise<string> {
  const { connection, number } = await addDeskPhone(service, agentId, names)
  const { running } = service
  const of = { agentId, phoneConnectionId: connection.id, phoneNumberId: number.id }
  const ended = { state: 'ended', endedAt: ago(1) } as const
  await addPhoneCall(running, {
    ...{ ...of, ...ended, answeredAt: null, endReason: 'failed', providerCallId: 'CA0123456789' },
    endDetail: 'The provider answered 503. Try again, or check baseUrl.',
  })
  await addPhoneCall(running, {
    ...{ ...of, ...ended, conversationId: spokenId, realtimeSessionId: sessionId, endUserId },
    ...{ direction: 'incoming', from: '+4989123456', to: number.number, endReason: 'hung_up' },
  })
  return addPhoneCall(running, {
    ...{ ...of, conversationId: spokenId, realtimeSessionId: sessionId, endUserId },
    ...{ direction: 'incoming', from: '+4989765432', to: number.number },
  })
}
