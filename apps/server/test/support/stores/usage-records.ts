import { v7 as uuid } from 'uuid'
import { type ModelUse, noTokens } from '#server/domain/usage/model-use.js'

/** The usage of a step with a short input. */
export const makeUse = (organizationId: string, at = new Date()): ModelUse => ({
  account: {
    organizationId,
    sourceId: uuid(),
    apiKeyId: null,
    channel: 'text',
    rehearsal: false,
    endUserId: null,
  },
  agentId: uuid(),
  used: { connectionId: uuid(), kind: 'openai', model: 'gpt-5-mini' },
  item: 'step:1',
  at: at.toISOString(),
  amount: { tokens: { ...noTokens, textInput: 7 }, audioMilliseconds: 0 },
  milliseconds: 10,
  toolCalls: 0,
})
