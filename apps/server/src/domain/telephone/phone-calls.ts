import type { CallRequest, PhoneCallDigits, PhoneCallListQuery, PhoneCallStop } from '@parley/contract'
import type { Stores } from '../../ports/database.js'
import type {
  PhoneCallRecord,
  PhoneCallSetup,
  PhoneConnectionRecord,
  PhoneNumberRecord,
} from '../../ports/phone-stores.js'
import type { Clock } from '../../ports/time.js'
import { recordChange } from '../audit/record-change.js'
import { type CallerScope, keyOf } from '../caller-scope.js'
import { contextOf, conversationFor } from '../conversations/conversations.js'
import { DomainError, invalidRequest, notFound } from '../domain-error.js'
import { requireVariables } from '../end-users/template-values.js'
import { type Limits, oneMore } from '../limits/organization-limits.js'
import { newResource, readPage } from '../resources/resource.js'
import { requireBudget } from '../usage/budgets/reserve-budget.js'
import { callSeconds } from './call-duration.js'
import { quietHoursRefusal } from './quiet-hours.js'
import { requireDialable } from './require-dialable.js'

const type = 'PhoneCall'

const hourMilliseconds = 60 * 60 * 1000

/** How long callers wait before they try again to call when all lines are busy. */
const busyRetrySeconds = 10

/** The keys of one request. A leg sends no more at once. */
const maxWaitingDigits = 32

type PresentedCall = PhoneCallRecord & { readonly seconds: number | null }

export interface PhoneCallsDependencies {
  readonly clock: Clock
  readonly limits: Limits
}

export type PhoneCalls = ReturnType<typeof makePhoneCalls>

export function makePhoneCalls({ clock, limits }: PhoneCallsDependencies) {
  const record = (scope: CallerScope, action: string, call: PhoneCallRecord) =>
    recordChange(clock, scope, { action, type, id: call.id, details: detailsOf(call) })

  async function find(scope: CallerScope, id: string): Promise<PhoneCallRecord> {
    const call = await scope.stores.phoneCalls.find(scope.caller.organizationId, id)
    if (call === null) throw notFound('Call')
    return call
  }

  return {
    async list({ stores, caller }: CallerScope, query: PhoneCallListQuery) {
      const filter = {
        agentId: query.AgentId,
        conversationId: query.ConversationId,
        phoneNumberId: query.PhoneNumberId,
        phoneConnectionId: query.PhoneConnectionId,
        direction: query.Direction,
        state: query.State,
        endReason: query.EndReason,
        from: query.From,
        to: query.To,
        endUserId: query.EndUserId,
        externalUserId: query.ExternalUserId,
      }
      const page = await readPage(query, (asked) =>
        stores.phoneCalls.list(caller.organizationId, filter, asked),
      )
      return { ...page, items: page.items.map(presentCall) }
    },

    read: async (scope: CallerScope, id: string) => presentCall(await find(scope, id)),

    /**
     * Queues an outgoing call. An instance claims the row before it dials, so a call is dialed at most once. The limits
     * are checked under the lock of the phone connection.
     */
    async make(
      scope: CallerScope,
      agentId: string,
      request: CallRequest,
      /** The run of a task that makes the call: its conversation, and the key that it is attributed to. */
      run: { readonly conversationId: string; readonly apiKeyId: string | null } | null = null,
    ): Promise<PresentedCall> {
      const { stores, caller } = scope
      const { organizationId } = caller
      const agent = await stores.agents.find(organizationId, agentId)
      if (agent === null) throw notFound('Agent')
      const number = await findCallingNumber(scope, request)
      const connection = await stores.phoneConnections.findLocked(organizationId, number.phoneConnectionId)
      if (connection === null) throw notFound('PhoneConnection')
      await requireDialing({ clock }, stores, connection, request.to)
      await limits.requireRoom(scope, [oneMore('callsPerHour')])
      const apiKeyId = run === null ? keyOf(caller) : run.apiKeyId
      await requireBudget({ clock }, stores, { organizationId, agentId, apiKeyId })
      const conversation = await conversationFor({ clock, limits }, scope, {
        agent,
        conversationId: run?.conversationId ?? null,
        rehearsal: false,
        context: contextOf(request),
      })
      requireVariables(agent, conversation.variables)
      const { additionalInstructions, voicemail } = request
      const call: PhoneCallRecord = {
        ...newCall(clock, { number, agentId }),
        direction: 'outgoing',
        from: number.number,
        to: request.to,
        state: 'queued',
        apiKeyId,
        conversationId: conversation.id,
        endUserId: conversation.endUserId,
        setup: setupOf(number, {
          greeting: request.greeting ?? number.greeting,
          additionalInstructions,
          voicemail,
        }),
      }
      await stores.phoneCalls.insert(call)
      await record(scope, 'phone_call.make', call)
      return presentCall(call)
    },

    /** Requests the end of a call. The instance that runs it ends it within about a second. */
    async hangUp(scope: CallerScope, id: string): Promise<undefined> {
      const { stores, caller } = scope
      const call = await find(scope, id)
      const ended = await stores.phoneCalls.requestEnd(caller.organizationId, id, clock.now().toISOString())
      if (ended > 0) await record(scope, 'phone_call.hang_up', call)
    },

    /** Requests that keys are pressed in an active call. The instance that runs it presses them within about a second. */
    async sendDigits(scope: CallerScope, id: string, { digits }: PhoneCallDigits): Promise<undefined> {
      const { stores, caller } = scope
      const call = await find(scope, id)
      if (!(await stores.phoneCalls.requestDigits(caller.organizationId, id, digits, maxWaitingDigits)))
        throw new DomainError(
          'Conflict',
          call.state === 'active'
            ? `At most ${maxWaitingDigits} keys can wait. Try again in a second.`
            : 'Keys can only be pressed in active calls.',
        )
      // The keys may be a secret, so they are not recorded.
      await record(scope, 'phone_call.digits', call)
    },

    /** Ends all calls, and disables the phone connections so that no others start. */
    async stopAll(scope: CallerScope): Promise<PhoneCallStop> {
      const { stores, caller } = scope
      const now = clock.now().toISOString()
      // The locks of the phone connections come first, so that no call starts after the calls were ended.
      const ids = await stores.phoneConnections.disableAll(caller.organizationId, now)
      const calls = await stores.phoneCalls.requestEnd(caller.organizationId, null, now)
      await recordChange(clock, scope, {
        action: 'phone_call.stop_all',
        type: 'Organization',
        id: caller.organizationId,
        details: { calls, phoneConnections: ids.length },
      })
      return { calls, phoneConnections: ids.length }
    },

    /** Returns the record of a call, for callers that act on it. */
    record: find,
  }
}

/** A number that belongs to a phone connection. */
export interface ConnectedNumber extends PhoneNumberRecord {
  readonly phoneConnectionId: string
}

export function isConnected(number: PhoneNumberRecord): number is ConnectedNumber {
  return number.phoneConnectionId !== null
}

/** Adds the duration of an ended call. */
function presentCall(call: PhoneCallRecord): PresentedCall {
  return { ...call, seconds: callSeconds(call) }
}

/** The details of audit records about a call. They contain no telephone numbers, because those may be personal. */
export function detailsOf({ direction, agentId, endUserId }: PhoneCallRecord): Record<string, unknown> {
  return { direction, agentId, ...(endUserId !== null && { endUserId }) }
}

/** Returns the fields of a new call that do not depend on its direction. */
export function newCall(
  clock: Clock,
  { number, agentId }: { readonly number: ConnectedNumber; readonly agentId: string },
) {
  return {
    ...newResource(clock, number.organizationId),
    phoneConnectionId: number.phoneConnectionId,
    phoneNumberId: number.id,
    agentId,
    endReason: null,
    endDetail: null,
    realtimeSessionId: null,
    providerCallId: null,
    answeredAt: null,
    endedAt: null,
    instanceId: null,
    tokenHash: null,
    endRequestedAt: null,
    digitsRequested: null,
  }
}

/** Returns the settings of a call, which later changes of the number do not affect. */
export function setupOf(
  { turnDetection, transferTargets, language }: PhoneNumberRecord,
  wishes: Pick<PhoneCallSetup, 'greeting' | 'additionalInstructions' | 'voicemail'>,
): PhoneCallSetup {
  return { ...wishes, turnDetection, transferTargets, language }
}

/** Returns the number that the call is made from. */
async function findCallingNumber(
  { stores, caller: { organizationId } }: CallerScope,
  { from }: CallRequest,
): Promise<ConnectedNumber> {
  const numbers = await stores.phoneNumbers.findAllByNumber(organizationId, from)
  const number = numbers.find(isConnected)
  if (number === undefined)
    throw invalidRequest([{ path: 'from', message: 'must be an enabled phone number of this organization' }])
  return number
}

/** Throws if the phone connection may not dial this number at the moment. Its row must be locked. */
async function requireDialing(
  { clock }: { readonly clock: Clock },
  stores: Stores,
  connection: PhoneConnectionRecord,
  to: string,
): Promise<void> {
  const { id, name, maxCalls, maxCallsPerHour } = connection
  requireDialable(connection)
  requireAllowedNumber(connection, to)
  const now = clock.now()
  const refusal = quietHoursRefusal(connection, now)
  if (refusal !== null) throw new DomainError('LimitReached', refusal, { limit: 'quietHours' })
  if ((await stores.phoneCalls.countOpen(id)) >= maxCalls)
    throw new DomainError('LimitReached', `The phone connection ${name} has ${maxCalls} concurrent calls.`, {
      limit: 'maxCalls',
      retryAfterSeconds: busyRetrySeconds,
    })
  const since = now.getTime() - hourMilliseconds
  const recent = await stores.phoneCalls.outgoingSince(id, new Date(since).toISOString(), maxCallsPerHour)
  const [oldest] = recent
  if (oldest !== undefined && recent.length >= maxCallsPerHour)
    throw new DomainError(
      'LimitReached',
      `The phone connection ${name} made ${maxCallsPerHour} calls within an hour.`,
      {
        limit: 'maxCallsPerHour',
        retryAfterSeconds: Math.max(1, Math.ceil((Date.parse(oldest) - since) / 1000)),
      },
    )
}

export function allowsNumber(
  { allowedPrefixes }: Pick<PhoneConnectionRecord, 'allowedPrefixes'>,
  to: string,
): boolean {
  return allowedPrefixes.some((prefix) => to.startsWith(prefix))
}

/** Throws unless the phone connection allows calls and transfers to this number. */
export function requireAllowedNumber(
  connection: Pick<PhoneConnectionRecord, 'name' | 'allowedPrefixes'>,
  to: string,
): void {
  const message = `must begin with one of the allowedPrefixes of the phone connection ${connection.name}`
  if (!allowsNumber(connection, to)) throw invalidRequest([{ path: 'to', message }])
}
