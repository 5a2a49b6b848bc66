import { z } from 'zod'
import { endUserFields, endUserFilter } from './end-user.js'
import { id, nonBlankText, resourceFields, text, timestamp, timestampInput } from './field.js'
import { pageOf, pageQuery } from './page.js'
import { e164 } from './phone-connection.js'

/** Why a call ended, with a description. */
export const phoneCallEndReasons = {
  hung_up: 'The other party hung up.',
  agent_hung_up: 'The agent hung up.',
  stopped: 'A user or an API key ended the call.',
  transferred: 'The call was transferred.',
  busy: 'The called party was busy.',
  no_answer: 'The called party did not answer, or the caller gave up.',
  rejected: 'The call was rejected.',
  voicemail: 'A voicemail answered, and the agent hung up.',
  failed: 'A technical failure ended the call.',
} as const

type Reason = keyof typeof phoneCallEndReasons

const reasons = Object.keys(phoneCallEndReasons) as [Reason, ...Reason[]]

export const PhoneCallEndReasonName = z.enum(reasons)

export const PhoneCallState = z
  .enum(['queued', 'ringing', 'active', 'ended'])
  .describe('The state of the call. An outgoing call is `queued` until the provider dials.')

export const phoneCallDirection = z.enum(['incoming', 'outgoing'])

export const PhoneCall = z
  .object({
    ...resourceFields,
    direction: phoneCallDirection.describe('The direction of the call.'),
    from: z
      .string()
      .nullable()
      .describe(
        'The number of the caller. `null` if the caller is anonymous, or if the conversation was deleted.',
      ),
    to: z.string().nullable().describe('The called number. `null` if the conversation was deleted.'),
    state: PhoneCallState,
    endReason: PhoneCallEndReasonName.nullable().describe('Why the call ended. `null` if it has not ended.'),
    endDetail: z
      .string()
      .nullable()
      .describe('A description of why the call was rejected or failed. `null` otherwise.'),
    phoneConnectionId: id().describe('The ID of the phone connection.'),
    phoneNumberId: id().describe('The ID of the phone number.'),
    agentId: id().describe('The ID of the agent.'),
    conversationId: id().nullable().describe('The ID of the conversation. `null` if it has not started.'),
    realtimeSessionId: id()
      .nullable()
      .describe(
        'The ID of the latest realtime session of the call. `null` if there is none. A long call has several sessions, one after another.',
      ),
    endUserId: id().nullable().describe('The ID of the end user. `null` if the end user is anonymous.'),
    providerCallId: z.string().nullable().describe("The provider's ID of the call. `null` if there is none."),
    answeredAt: timestamp()
      .nullable()
      .describe('When the call was answered (UTC). `null` if it was not answered.'),
    endedAt: timestamp().nullable().describe('When the call ended (UTC). `null` if it has not ended.'),
    seconds: z
      .int()
      .nullable()
      .describe(
        'The duration from the answer to the end. `null` if the call was not answered or has not ended.',
      ),
  })
  .meta({ id: 'PhoneCall', description: 'A telephone call of an agent.' })

export const PhoneCallPage = pageOf(PhoneCall, 'PhoneCall')

export const PhoneCallListQuery = z.strictObject({
  ...pageQuery,
  ...endUserFilter('calls'),
  AgentId: id().optional().describe('Only return calls of this agent.'),
  ConversationId: id().optional().describe('Only return calls of this conversation.'),
  PhoneNumberId: id().optional().describe('Only return calls of this phone number.'),
  PhoneConnectionId: id().optional().describe('Only return calls of this phone connection.'),
  Direction: phoneCallDirection.optional().describe('Only return calls in this direction.'),
  State: PhoneCallState.optional().describe('Only return calls in this state.'),
  EndReason: PhoneCallEndReasonName.optional().describe('Only return calls with this end reason.'),
  From: timestampInput().optional().describe('Only return calls created at or after this time.'),
  To: timestampInput().optional().describe('Only return calls created before this time.'),
})

export const CallRequest = z
  .strictObject({
    to: e164().describe('The number to call, in international format.'),
    from: e164().describe('The number to call from. It must be a phone number of the organization.'),
    greeting: nonBlankText(2000)
      .nullable()
      .default(null)
      .describe(
        "The agent's first words when the call is answered. If `null`, the greeting of the phone number.",
      ),
    additionalInstructions: text(100_000)
      .nullable()
      .default(null)
      .describe(
        'Additional instructions for this call. They are appended to the system message of the agent.',
      ),
    voicemail: z
      .enum(['talk', 'leave_message', 'hang_up'])
      .default('talk')
      .describe(
        'The behavior if a voicemail answers. `talk`: the agent talks as to a person. `leave_message` and `hang_up`: the provider is asked to detect voicemails, and the agent leaves a message or hangs up. Providers that cannot detect a voicemail ignore this.',
      ),
    ...endUserFields,
  })
  .meta({
    id: 'CallRequest',
    description: 'The parameters for making a call.',
    examples: [
      {
        to: '+4930654321',
        from: '+4930123456',
        externalUserId: 'guest-4711',
        additionalInstructions: 'Confirm the arrival time of the booking.',
      },
    ],
  })

export const PhoneCallTransfer = z
  .strictObject({
    to: e164().describe(
      'The number to transfer the call to. The phone connection must allow its beginning in `allowedPrefixes`.',
    ),
  })
  .meta({
    id: 'PhoneCallTransfer',
    description: 'The parameters for transferring a call.',
    examples: [{ to: '+4930654321' }],
  })

export const PhoneCallDigits = z
  .strictObject({
    digits: z
      .string()
      .regex(/^[0-9*#A-D]{1,32}$/, { error: 'must be 1 to 32 of the keys 0 to 9, *, # and A to D' })
      .describe('The keys to press, for example `1234#`.'),
  })
  .meta({
    id: 'PhoneCallDigits',
    description: 'The parameters for pressing keys in a call.',
    examples: [{ digits: '1234#' }],
  })

export const PhoneCallStop = z
  .object({
    calls: z.int().describe('The number of calls that end.'),
    phoneConnections: z.int().describe('The number of phone connections that were disabled.'),
  })
  .meta({ id: 'PhoneCallStop', description: 'The result of an emergency stop.' })

export type PhoneCall = z.output<typeof PhoneCall>
export type PhoneCallEndReason = Reason
export type PhoneCallListQuery = z.output<typeof PhoneCallListQuery>
export type CallRequest = z.output<typeof CallRequest>
export type PhoneCallTransfer = z.output<typeof PhoneCallTransfer>
export type PhoneCallDigits = z.output<typeof PhoneCallDigits>
export type PhoneCallStop = z.output<typeof PhoneCallStop>
