import { makeSchemaComparer, type Resolve, type Schema } from './schema-breaks.js'

/** The part of AsyncAPI that the description of our socket uses. */
export interface SocketContract {
  readonly channels: {
    readonly realtime: {
      readonly address: string
      readonly bindings: { readonly ws: { readonly query: Schema } }
      readonly 'x-close-codes': Readonly<Record<string, number>>
    }
  }
  readonly operations: Readonly<Record<'receive' | 'send', { readonly messages: readonly Reference[] }>>
  readonly components: { readonly messages: Readonly<Record<string, Message>> }
}

interface Reference {
  readonly $ref: string
}

interface Message {
  readonly name: string
  readonly payload: Schema
}

/** Returns every change in `after` that breaks a client written for `before`, one sentence each. */
export function findSocketBreaks(before: SocketContract, after: SocketContract): string[] {
  const compareSent = makeSchemaComparer(inline, inline, 'request')
  const compareReceived = makeSchemaComparer(inline, inline, 'response')
  const [was, is] = [before.channels.realtime, after.channels.realtime]
  return [
    ...(was.address === is.address ? [] : [`the address was changed from ${was.address}`]),
    ...compareSent('the query', { before: was.bindings.ws.query, after: is.bindings.ws.query }),
    ...codeBreaks(was['x-close-codes'], is['x-close-codes']),
    ...messageBreaks('client message', 'receive', compareSent),
    ...messageBreaks('service message', 'send', compareReceived),
  ]

  function messageBreaks(
    kind: string,
    direction: 'receive' | 'send',
    compare: ReturnType<typeof makeSchemaComparer>,
  ): string[] {
    const present = messagesOf(after, direction)
    return messagesOf(before, direction).flatMap(({ name, payload }) => {
      const place = `${kind} ${name}`
      const still = present.find((message) => message.name === name)
      return still ? compare(place, { before: payload, after: still.payload }) : [`${place} was removed`]
    })
  }
}

function codeBreaks(was: Readonly<Record<string, number>>, is: Readonly<Record<string, number>>): string[] {
  return Object.entries(was)
    .filter(([reason, code]) => is[reason] !== code)
    .map(([reason, code]) => `${reason} closed with ${code} and now closes with ${is[reason] ?? 'nothing'}`)
}

function messagesOf({ operations, components }: SocketContract, direction: 'receive' | 'send'): Message[] {
  return operations[direction].messages.map(({ $ref }) => {
    const message = components.messages[$ref.slice($ref.lastIndexOf('/') + 1)]
    if (!message) throw new Error(`${$ref} does not exist`)
    return message
  })
}

/** Rejects references, because payloads must be stored inline. */
const inline: Resolve = <Part extends object>(part: Part | Reference): Part => {
  if ('$ref' in part && typeof part.$ref === 'string')
    throw new Error(`${part.$ref} must not occur in a payload`)
  return part as Part
}
