// Generates named types for the events of session sockets and turn streams. Shared events are declared once.
import { comment, declaration, pascal, typeText } from './type-text.mjs'

const nobody = () => undefined
const eventName = (type) => `${pascal(type.replaceAll('_', '.'))}Event`

/** The socket's messages, from AsyncAPI. */
export function sessionEventsText({ channels, components, operations }) {
  const payloads = (action) =>
    operations[action].messages
      .map(({ $ref }) => components.messages[$ref.split('/').at(-1)].payload)
      .filter(({ properties }) => properties.type.const !== undefined)
  const [sent, received] = [payloads('receive'), payloads('send')]
  const nameOf = ({ properties }) =>
    properties.type.const === 'error' ? 'ServiceErrorEvent' : eventName(properties.type.const)
  const declared = [...sent, ...received].map((payload) => eventDeclaration(nameOf(payload), payload))
  const codes = Object.entries(channels.realtime['x-close-codes'])
  return [
    ...declared,
    union(
      'SessionEvent',
      "The service's own events on a session's socket, in addition to those of the provider.",
      received.map(nameOf),
    ),
    union(
      'SessionMessage',
      "The messages on a session's socket that the service itself handles.",
      sent.map(nameOf),
    ),
    `${comment('Why a session ended, by the code its socket was closed with.')}export const closeCodes = {\n${codes.map(([reason, code]) => `  ${reason}: ${code},\n`).join('')}} as const\n`,
    `export type EndReason = keyof typeof closeCodes\n`,
  ].join('\n')
}

/** Events that have more or other fields in turns than in sessions. */
const namesInTurns = { error: 'TurnErrorEvent', 'response.completed': 'TurnResponseCompletedEvent' }

/** The events of a turn, from OpenAPI. Events that sessions have too are imported from there. */
export function turnEventsText({ components }, sessionEvents) {
  const members = components.schemas.TurnEvent.oneOf
  const own = []
  const shared = []
  const names = members.map((member) => {
    const type = member.properties.type.const
    const name = namesInTurns[type] ?? eventName(type)
    const text = eventDeclaration(name, member)
    if (sessionEvents.includes(text)) shared.push(name)
    else own.push(text)
    return name
  })
  return [
    `import type {\n${shared.map((name) => `  ${name},\n`).join('')}} from './session-events.js'\n`,
    ...own,
    union('TurnEvent', components.schemas.TurnEvent.description, names),
  ].join('\n')
}

const union = (name, description, members) =>
  `${comment(description)}export type ${name} =\n${members.map((member) => `  | ${member}\n`).join('')}`

function eventDeclaration(name, schema) {
  if (typeof schema.additionalProperties === 'object')
    return `${comment(schema.description)}export type ${name} = ${typeText(schema, nobody)}\n`
  return declaration(name, schema, nobody)
}
