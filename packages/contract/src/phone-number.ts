import { z } from 'zod'
import { id, nonBlankText, resourceFields, text } from './field.js'
import { managedFields } from './managed-fields.js'
import { pageOf, pageQuery } from './page.js'
import { e164, numberPrefix } from './phone-connection.js'
import { patchable, writable } from './writable.js'

export const PhoneTurnDetection = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('semantic_vad'),
      eagerness: z
        .enum(['low', 'medium', 'high', 'auto'])
        .default('high')
        .describe('How soon the agent answers a sentence that sounds unfinished.'),
    }),
    z.strictObject({
      type: z.literal('server_vad'),
      silenceMilliseconds: z
        .int()
        .min(100)
        .max(5000)
        .default(500)
        .describe('The silence after which the agent answers.'),
    }),
  ])
  .meta({
    id: 'PhoneTurnDetection',
    description:
      'When the agent answers: if the sentence sounds finished (`semantic_vad`) or after a silence (`server_vad`).',
  })

const languageTag = () =>
  z
    .string()
    .max(35)
    .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, { error: 'must be a BCP 47 language tag, such as "en-US"' })
    .meta({ examples: ['en-US'] })

const callers = z.array(numberPrefix()).max(1000).default([])

export const phoneNumberInputFields = {
  name: nonBlankText(200).describe('The display name of the phone number.'),
  number: e164().describe('The telephone number in international format.'),
  phoneConnectionId: id()
    .nullable()
    .default(null)
    .describe('The ID of the phone connection that the number belongs to. Calls need one.'),
  agentId: id()
    .nullable()
    .default(null)
    .describe('The ID of the agent that answers calls to the number. If `null`, they are rejected.'),
  greeting: nonBlankText(2000)
    .nullable()
    .default(null)
    .describe(
      "The agent's first words. It can contain variables of the agent. If `null`, the agent's `firstMessage`. If that is `null` too, the model chooses the words.",
    ),
  language: languageTag()
    .nullable()
    .default(null)
    .describe(
      'The language of the calls, as a BCP 47 tag. It helps to transcribe the other party, and announcements of the service use it. If `null`, the language is detected.',
    ),
  turnDetection: PhoneTurnDetection.default({ type: 'semantic_vad', eagerness: 'high' }),
  allowedCallers: callers.describe(
    'The beginnings of the numbers whose calls are answered. If empty, calls from all numbers and anonymous calls are answered.',
  ),
  blockedCallers: callers.describe('The beginnings of the numbers whose calls are rejected.'),
  transferTargets: z
    .array(
      z.strictObject({
        name: nonBlankText(100).describe('The name by which the agent chooses the target.'),
        number: e164().describe('The telephone number of the target.'),
      }),
    )
    .max(50)
    .refine((targets) => new Set(targets.map(({ name }) => name)).size === targets.length, {
      error: 'must not contain duplicate names',
    })
    .default([])
    .describe(
      'The people or departments to which the agent can transfer a call. If empty, the agent cannot transfer calls.',
    ),
  isEnabled: z
    .boolean()
    .default(true)
    .describe('Whether calls to the number are answered and calls from it can be made.'),
  ...managedFields,
}

const readOnlyFields = Object.keys(resourceFields)

const example = {
  name: 'Reception',
  number: '+4930123456',
  greeting: 'Hotel Aurora, good day. How can I help you?',
  language: 'en-GB',
}

export const PhoneNumberInput = writable(phoneNumberInputFields, readOnlyFields).meta({
  id: 'PhoneNumberInput',
  description: 'The parameters for creating or replacing a phone number.',
  examples: [example],
})

const { externalId: _, ...upsertFields } = phoneNumberInputFields

export const PhoneNumberUpsert = writable(upsertFields, [...readOnlyFields, 'externalId']).meta({
  id: 'PhoneNumberUpsert',
  description:
    'The parameters for creating or replacing a phone number by its external ID, which is part of the path.',
  examples: [example],
})

export const PhoneNumberPatch = patchable(phoneNumberInputFields, readOnlyFields).meta({
  id: 'PhoneNumberPatch',
  description: 'A merge patch for a phone number.',
  examples: [{ greeting: 'Hotel Aurora, good evening.' }],
})

export const PhoneNumber = z
  .object({ ...resourceFields, ...phoneNumberInputFields })
  .meta({ id: 'PhoneNumber', description: 'A telephone number and the agent that answers it.' })

export const PhoneNumberPage = pageOf(PhoneNumber, 'PhoneNumber')

export const PhoneNumberListQuery = z.strictObject({
  ...pageQuery,
  Search: text(200).optional().describe('Only return phone numbers whose name or number contains this text.'),
  AgentId: id().optional().describe('Only return phone numbers of this agent.'),
  PhoneConnectionId: id().optional().describe('Only return phone numbers of this phone connection.'),
})

export type PhoneTurnDetection = z.output<typeof PhoneTurnDetection>
export type PhoneNumber = z.output<typeof PhoneNumber>
export type PhoneNumberInput = z.output<typeof PhoneNumberInput>
export type PhoneNumberUpsert = z.output<typeof PhoneNumberUpsert>
export type PhoneNumberPatch = z.output<typeof PhoneNumberPatch>
export type PhoneNumberListQuery = z.output<typeof PhoneNumberListQuery>
