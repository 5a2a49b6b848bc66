import { z } from 'zod'
import { clientMessages } from './realtime/client-messages.js'
import { closeCodes } from './realtime/close-codes.js'
import { sessionEvents } from './realtime/custom-events.js'
import { ServiceErrorEvent } from './realtime/service-error-event.js'

const socketUrlPath = '/api/v1/Agent/{agentId}/realtime'

const ProviderClientEvent = z
  .looseObject({
    type: z.string().describe('The event type, for example `input_audio_buffer.append`.'),
  })
  .meta({
    title: 'a client event of the provider',
    description:
      'Any client event of the realtime provider except `session.update`. The service forwards it unchanged. ' +
      'It also forwards binary frames unchanged.',
    examples: [{ type: 'input_audio_buffer.append', audio: 'AAAA' }, { type: 'response.create' }],
  })

const ProviderServerEvent = z
  .looseObject({
    type: z.string().describe('The event type, for example `response.output_audio.delta`.'),
  })
  .meta({
    title: 'a server event of the provider',
    description:
      'Any server event of the realtime provider. The service forwards it unchanged, before the custom events that it triggers.',
    examples: [
      { type: 'response.output_audio.delta', response_id: 'resp_1', item_id: 'item_1', delta: 'AAAA' },
    ],
  })

const fromClient = { ...clientMessages, 'provider client event': ProviderClientEvent }
const fromService = {
  ...sessionEvents,
  error: ServiceErrorEvent,
  'provider server event': ProviderServerEvent,
}

export interface AsyncApiDocument {
  readonly asyncapi: '3.0.0'
  readonly [part: string]: unknown
}

/** Builds the AsyncAPI 3 document of the realtime WebSocket, in both directions. */
export function buildAsyncApi(version: string): AsyncApiDocument {
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Parley realtime session',
      version,
      description: introduction(),
      license: { name: 'Apache-2.0' },
    },
    defaultContentType: 'application/json',
    channels: {
      realtime: {
        address: socketUrlPath,
        title: 'Realtime WebSocket',
        description:
          'Clients connect to the `webSocketPath` of a realtime session. The one-time token in this path is the only credential.',
        parameters: { agentId: { description: 'The ID of the agent.' } },
        'x-close-codes': closeCodes,
        bindings: {
          ws: {
            method: 'GET',
            query: {
              type: 'object',
              required: ['conversationId', 'sessionId'],
              properties: {
                conversationId: {
                  type: 'string',
                  format: 'uuid',
                  description: 'The ID of the conversation of the session.',
                },
                sessionId: { type: 'string', description: 'The one-time session token.' },
              },
            },
          },
        },
        messages: Object.fromEntries(
          [...Object.keys(fromClient), ...Object.keys(fromService)].map((name) => [
            keyOf(name),
            { $ref: `#/components/messages/${keyOf(name)}` },
          ]),
        ),
      },
    },
    operations: {
      receive: operation('receive', 'Messages from the client to the service.', Object.keys(fromClient)),
      send: operation('send', 'Messages from the service to the client.', Object.keys(fromService)),
    },
    components: { messages: { ...messagesOf(fromClient), ...messagesOf(fromService) } },
  }
}

function introduction(): string {
  const codes = Object.entries(closeCodes).map(([reason, code]) => `| ${code} | ${reason} |`)
  return [
    'Text frames contain JSON. Route them by the top-level `type`. Before the service closes the socket, it sends an `error` event whose',
    '`error.type` is `service_error` and whose `error.code` is the reason for the end. The close frame has the matching close code.',
    '',
    '| close code | reason |',
    '|---|---|',
    ...codes,
  ].join('\n')
}

function operation(action: 'send' | 'receive', summary: string, names: readonly string[]) {
  return {
    action,
    summary,
    channel: { $ref: '#/channels/realtime' },
    messages: names.map((name) => ({ $ref: `#/channels/realtime/messages/${keyOf(name)}` })),
  }
}

function messagesOf(schemas: Readonly<Record<string, z.ZodType>>) {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { title, description, examples } = z.globalRegistry.get(schema) ?? {}
      const samples = Array.isArray(examples) ? { examples: examples.map((payload) => ({ payload })) } : {}
      return [
        keyOf(name),
        { name: title ?? name, title, summary: description, payload: payloadOf(schema), ...samples },
      ]
    }),
  )
}

function payloadOf(schema: z.ZodType): unknown {
  const { $schema: _, id: __, ...payload } = z.toJSONSchema(schema, { target: 'draft-7', io: 'input' })
  return payload
}

/** Converts a name to a valid AsyncAPI key. */
const keyOf = (name: string) =>
  name.replaceAll(/[^A-Za-z0-9]+(.)?/g, (_match, next: string | undefined) => next?.toUpperCase() ?? '')
