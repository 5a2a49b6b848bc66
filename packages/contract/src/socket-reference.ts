import { z } from 'zod'
import { clientMessages } from './realtime/client-messages.js'
import { closeCodes } from './realtime/close-codes.js'
import { customEvents } from './realtime/custom-events.js'
import { ServiceErrorEvent } from './realtime/service-error-event.js'

/** Describes the messages of the realtime WebSocket for the reference. `/asyncapi.json` describes them for programs. */
export function describeSocket(): string {
  return [
    'Voice and streaming sessions. Create a session here. The client then opens the WebSocket at `webSocketPath`,',
    'without a key. `GET /asyncapi.json` describes the socket for programs. These are its messages.',
    '',
    '**From the client:** any client event of the provider except `session.update`, calls, and outputs of calls that do',
    'not belong to a client tool, forwarded unchanged, and',
    '',
    messageTable(clientMessages),
    '',
    '**From the service:** every event of the provider, first and unchanged, and the custom events `{ type, data }`:',
    '',
    messageTable(customEvents),
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
  return ['| type | fields | |', '|---|---|---|', ...rows].join('\n')
}

/** The fields with content: those of `data` or `error` if there is one, otherwise the message's own. */
function fieldsOf(schema: z.ZodType): string[] {
  const shape = schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : {}
  const inner = shape.data ?? shape.error
  const fields = inner instanceof z.ZodObject ? Object.keys(inner.shape) : Object.keys(shape)
  return fields.filter((name) => name !== 'type' || inner !== undefined)
}
