import { type EventShape, type Webhook, type WebhookEventType, webhookEventShapes } from '@parley/contract'
import type { WebhookEventRecord } from '../../ports/webhook-event-store.js'

/** What Standard Webhooks asks of senders. */
const maxBodyBytes = 20_000

/** How long a text may be; where the whole is too long all the same, they are cut shorter. */
const maxTextLengths = [4096, 1024, 256] as const

/** What is sent where words must not leave, or do not fit. */
const idFields = [
  'id',
  'version',
  'agentId',
  'conversationId',
  'turnId',
  'messageId',
  'originId',
  'callId',
  'apiKeyId',
] as const

type Data = Readonly<Record<string, unknown>>

/** The fields of an event that the contract names: what else a record holds, secrets above all, never leaves. */
export function publicData(type: WebhookEventType, data: object): Data {
  const { resource, besides }: EventShape = webhookEventShapes[type]
  return resource.extend(besides).parse(data)
}

/** What is sent, word for word. */
export function eventBody(
  { type, at, organizationId }: Pick<WebhookEventRecord, 'type' | 'at' | 'organizationId'>,
  data: Data,
  payload: Webhook['payload'],
): string {
  const write = (content: Data, isShortened: boolean) =>
    JSON.stringify({ type, timestamp: at, organizationId, isShortened, data: content })
  if (payload === 'ids') return write(idsOf(data), false)
  for (const maxLength of maxTextLengths) {
    const { value, isCut } = cutTexts(data, maxLength)
    const body = write(value, isCut)
    if (Buffer.byteLength(body) <= maxBodyBytes) return body
  }
  return write(idsOf(data), true)
}

function idsOf(data: Data): Data {
  return Object.fromEntries(idFields.flatMap((name) => (name in data ? [[name, data[name]]] : [])))
}

function cutTexts(data: Data, maxLength: number): { readonly value: Data; readonly isCut: boolean } {
  let isCut = false
  const cut = (value: unknown): unknown => {
    if (typeof value === 'string' && value.length > maxLength) {
      isCut = true
      return value.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '')
    }
    if (Array.isArray(value)) return value.map(cut)
    return typeof value === 'object' && value !== null ? cutFields(value) : value
  }
  const cutFields = (fields: object): Data =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, cut(value)]))
  return { value: cutFields(data), isCut }
}
