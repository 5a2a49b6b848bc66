import { readFileSync } from 'node:fs'
import {
  allOperations,
  concealApiKeys,
  liveResources,
  type Operation,
  operations,
  scopes,
} from '@parley/contract'
import { buildOpenApi } from '@parley/contract/openapi'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'

interface Body {
  readonly example?: unknown
}

interface Described {
  readonly description: string
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Readonly<Record<string, Body>> }>
  >
}

const document = JSON.parse(JSON.stringify(buildOpenApi('0'))) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
}

/** The success responses of an operation, as in the reference. */
const successesOf = ({ path, method }: Operation) =>
  Object.entries(document.paths[path]?.[method.toLowerCase()]?.responses ?? {}).filter(
    ([status]) => status < '300',
  )

const bodies = allOperations.flatMap((operation) =>
  successesOf(operation).flatMap(([status, { content }]) =>
    Object.entries(content ?? {}).map(([mediaType, { example }]) => ({
      ...{ name: `${operation.operationId} ${status} ${mediaType}`, operation, mediaType, example },
    })),
  ),
)

/** Images, PDF and DOCX cannot be shown as text. */
const isText = (mediaType: string) => /^text\/|json/.test(mediaType)

function requireSchema(schema: z.ZodType | undefined): z.ZodType {
  if (!schema) throw new Error('The example has no schema.')
  return schema
}

describe('a success response [DOC-1]', () => {
  test.each(allOperations.map((operation) => ({ name: operation.operationId, operation })))(
    'has its own description: $name',
    ({ operation }) => {
      const said = successesOf(operation).map(([, { description }]) => description)
      expect(said[0]).toBe(operation.outcome)
      for (const sentence of said) expect(sentence).toMatch(/^[A-Z].{9,}\.$/)
    },
  )

  test.each(bodies.filter(({ mediaType }) => isText(mediaType)))('has an example: $name', ({ example }) => {
    expect(example).toBeDefined()
  })

  test.each(
    bodies.filter(({ mediaType, operation }) => mediaType === 'application/json' && !operation.streamed),
  )('has an example with exactly the fields of its schema: $name', ({ operation, example }) => {
    expect(requireSchema(operation.response).parse(example)).toStrictEqual(example)
  })

  test('shows an event stream in its wire format', () => {
    const streams = bodies.filter(({ mediaType }) => mediaType === 'text/event-stream')
    expect(streams.map(({ operation }) => operation.operationId)).toEqual([
      'askAgent',
      'followTurn',
      'followChanges',
    ])
    for (const { operation, example } of streams) {
      const events = [...String(example).matchAll(/^id: [\d-]+\ndata: (.+)\n$/gm)].map(
        ([, data]) => JSON.parse(data ?? '') as unknown,
      )
      expect(events.length).toBeGreaterThan(2)
      for (const event of events) expect(requireSchema(operation.events).parse(event)).toStrictEqual(event)
    }
  })

  test('shows one value under each column of the export', () => {
    const csv = bodies.find(({ name }) => name === 'exportAuditLog 200 text/csv')?.example
    const [heads, cells] = String(csv)
      .split('\n')
      .map((line) => line.match(/("([^"]|"")*"|[^,]*)(,|$)/g)?.filter((cell) => cell !== ''))
    expect(cells).toHaveLength(heads?.length ?? 0)
  })

  test('contains no secrets', () => {
    for (const { example } of bodies) {
      const text = JSON.stringify(example) ?? ''
      expect(concealApiKeys(text)).toBe(text)
      // Secrets of keys and tokens of sessions have 43 such characters. Hashes have 64 and contain only hex
      // digits.
      expect(text.match(/[\w-]{40,}/g)?.filter((run) => !/^[\da-f]{64}$/.test(run)) ?? []).toEqual([])
    }
  })
})

describe('the contract [DOC-2]', () => {
  test('has no scope that no operation requires', () => {
    const needed = allOperations.map(({ scope }) => scope)
    expect(scopes.filter((scope) => !needed.includes(scope))).toEqual([])
  })

  test('sends live events only to callers that can read the resource [LIVE-2]', () => {
    const reads = {
      Agent: operations.getAgent,
      Connection: operations.getConnection,
      Task: operations.getTask,
      Conversation: operations.getConversation,
      Message: operations.listMessages,
      Turn: operations.getTurn,
      RealtimeSession: operations.getRealtimeSession,
      Approval: operations.listApprovals,
      TemporaryFile: operations.getTemporaryFile,
      Usage: operations.getUsage,
      Budget: operations.getBudget,
      Price: operations.getPrices,
      ApiKey: operations.getApiKey,
      Member: operations.listMembers,
      Invitation: operations.listInvitations,
      Webhook: operations.getWebhook,
      PhoneConnection: operations.getPhoneConnection,
      PhoneNumber: operations.getPhoneNumber,
      PhoneCall: operations.getPhoneCall,
      AuditLog: operations.listAuditLog,
    }
    expect(liveResources).toEqual(
      Object.fromEntries(Object.entries(reads).map(([resource, { scope }]) => [resource, scope])),
    )
  })

  test('mentions no feature that this release lacks', () => {
    const text = ['openapi.json', 'asyncapi.json']
      .map((name) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'))
      .join('')
    expect(text).not.toMatch(/\bconsole/i)
  })

  test('documents the default of every optional field', () => {
    const { RealtimeSessionRequest: request, RealtimeSessionTicket: ticket } = (
      document as unknown as {
        components: { schemas: Record<string, { properties: Record<string, object> }> }
      }
    ).components.schemas
    expect(request?.properties).toMatchObject({
      conversationId: { default: null },
      inputAudioFormat: { default: 'pcm16' },
      outputAudioFormat: { default: 'pcm16' },
      voice: { description: expect.stringContaining('`alloy`') },
      additionalInstructions: { default: null },
      clientTools: { default: [] },
    })
    expect(ticket?.properties).toMatchObject({
      expiresAt: { description: expect.stringContaining('60 seconds') },
      maxSessionSeconds: { description: expect.stringContaining('1800') },
      idleTimeoutSeconds: { description: expect.stringContaining('60') },
    })
  })
})
