import { z } from 'zod'
import { clientMessages } from './realtime/client-messages.js'
import { closeCodes } from './realtime/close-codes.js'
import { sessionEvents } from './realtime/custom-events.js'
import { ServiceErrorEvent } from './realtime/service-error-event.js'

/** Describes the messages of the realtime WebSocket for the API reference. `/asyncapi.json` is the machine-readable description. */
export function describeSocket(): string {
  return [
    'Voice and streaming sessions. Create a session with this API. The client then opens the WebSocket at `webSocketPath`.',
    'The WebSocket does not require an API key. `GET /asyncapi.json` returns a machine-readable description of the following messages.',
    '',
    '**Client to service:** any client event of the provider, forwarded unchanged, and the messages below. The service',
    'rejects `session.update`, function calls, and outputs of functions that are not client tools.',
    '',
    messageTable(clientMessages),
    '',
    '**Service to client:** every server event of the provider, forwarded unchanged, and the custom events `{ type, data }`:',
    '',
    messageTable(sessionEvents),
    '',
    messageTable({ error: ServiceErrorEvent }),
    '',
    `**Close codes:** ${Object.entries(closeCodes)
      .map(([reason, code]) => `${code} ${reason}`)
      .join(' · ')}`,
  ].join('\n')
}

function messageTable(messages: Readonly<Record<string, z.ZodType>>): string {
  const rows = Object.entries(messages).map(([name, schema]) => {
    const fields = fieldsOf(schema).map((field) => `\`${field}\``)
    return `| \`${name}\` | ${fields.join(', ')} | ${z.globalRegistry.get(schema)?.description ?? ''} |`
  })
  return ['| type | fields | description |', '|---|---|---|', ...rows].join('\n')
}

/** Returns the fields of `data` or `error`, or of the message itself if it has neither. */
function fieldsOf(schema: z.ZodType): string[] {
  const shape = schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : {}
  const inner = shape.data ?? shape.error
  const fields = inner instanceof z.ZodObject ? Object.keys(inner.shape) : Object.keys(shape)
  return fields.filter((name) => name !== 'type' || inner !== undefined)
}
