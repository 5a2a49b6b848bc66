import { describe, expect, test } from 'vitest'
import { editedCopy } from './edited-copy.js'
import { findSocketBreaks, type SocketContract } from './socket-breaks.js'

const released: SocketContract = {
  channels: {
    realtime: {
      address: '/things/{thingId}/socket',
      bindings: {
        ws: { query: { type: 'object', required: ['token'], properties: { token: { type: 'string' } } } },
      },
      'x-close-codes': { idle: 4001, full: 4002 },
    },
  },
  operations: {
    receive: { messages: [{ $ref: '#/channels/realtime/messages/turn' }] },
    send: { messages: [{ $ref: '#/channels/realtime/messages/turned' }] },
  },
  components: {
    messages: {
      turn: {
        name: 'thing.turn',
        payload: {
          type: 'object',
          required: ['type'],
          properties: { type: { const: 'thing.turn' }, degrees: { type: 'number', maximum: 360 } },
        },
      },
      turned: {
        name: 'thing.turned',
        payload: {
          type: 'object',
          required: ['type', 'data'],
          properties: {
            type: { const: 'thing.turned' },
            data: { type: 'object', required: ['degrees'], properties: { degrees: { type: 'number' } } },
          },
        },
      },
    },
  },
}

/** Returns the released description with one value changed, or removed if it is undefined. */
const edited = (place: string, value: unknown) => editedCopy(released, place, value)

const gone = undefined
const sent = 'components messages turn payload'
const received = 'components messages turned payload properties data'

const breaks: readonly (readonly [what: string, place: string, value: unknown, found: string])[] = [
  ['another address', 'channels realtime address', '/socket', 'the address was /things/{thingId}/socket'],
  [
    'a new parameter that is required',
    'channels realtime bindings ws query required',
    ['token', 'name'],
    'the query.name is required now',
  ],
  [
    'another close code',
    'channels realtime x-close-codes idle',
    4009,
    'idle closed with 4001, closes with 4009 now',
  ],
  [
    'a reason removed',
    'channels realtime x-close-codes full',
    gone,
    'full closed with 4002, closes with nothing now',
  ],
  ['a message of the client removed', 'operations receive messages', [], 'client message thing.turn is gone'],
  [
    'a message of the service removed',
    'operations send messages',
    [],
    'service message thing.turned is gone',
  ],
  [
    'a message renamed',
    'components messages turned name',
    'thing.moved',
    'service message thing.turned is gone',
  ],
  [
    'a tighter bound',
    `${sent} properties degrees maximum`,
    90,
    'client message thing.turn.degrees has another maximum: 90',
  ],
  [
    'a sent field required',
    `${sent} required 1`,
    'degrees',
    'client message thing.turn.degrees is required now',
  ],
  [
    'an event without a field',
    `${received} properties`,
    {},
    'service message thing.turned.data.degrees is gone',
  ],
  [
    'a field that may be missing',
    `${received} required`,
    [],
    'service message thing.turned.data.degrees can be left out now',
  ],
]

const additions: readonly (readonly [what: string, place: string, value: unknown])[] = [
  ['a field of an event', `${received} properties speed`, { type: 'number' }],
  ['a field that can be sent', `${sent} properties speed`, { type: 'number' }],
  ['a close code', 'channels realtime x-close-codes lost', 4003],
  ['a parameter that can be left out', 'channels realtime bindings ws query properties name', {}],
]

describe('the comparison of socket descriptions [API-16]', () => {
  test('finds nothing between equal descriptions', () => {
    expect(findSocketBreaks(released, structuredClone(released))).toEqual([])
  })

  test.each(breaks)('finds %s', (_, place, value, found) => {
    expect(findSocketBreaks(released, edited(place, value))).toEqual([found])
  })

  test.each(additions)('accepts an additional %s', (_, place, value) => {
    expect(findSocketBreaks(released, edited(place, value))).toEqual([])
  })

  test('fails on a broken reference', () => {
    expect(() => findSocketBreaks(released, edited('components messages turn', gone))).toThrow(
      '#/channels/realtime/messages/turn leads nowhere',
    )
  })
})
