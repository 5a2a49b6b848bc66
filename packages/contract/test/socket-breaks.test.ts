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

const removed = undefined
const sent = 'components messages turn payload'
const received = 'components messages turned payload properties data'

const breaks: readonly (readonly [what: string, place: string, value: unknown, found: string])[] = [
  [
    'another address',
    'channels realtime address',
    '/socket',
    'the address was changed from /things/{thingId}/socket',
  ],
  [
    'a new required parameter',
    'channels realtime bindings ws query required',
    ['token', 'name'],
    'the query.name is now required',
  ],
  [
    'a different close code',
    'channels realtime x-close-codes idle',
    4009,
    'idle closed with 4001 and now closes with 4009',
  ],
  [
    'a removed close reason',
    'channels realtime x-close-codes full',
    removed,
    'full closed with 4002 and now closes with nothing',
  ],
  ['a removed client message', 'operations receive messages', [], 'client message thing.turn was removed'],
  ['a removed service message', 'operations send messages', [], 'service message thing.turned was removed'],
  [
    'a renamed message',
    'components messages turned name',
    'thing.moved',
    'service message thing.turned was removed',
  ],
  [
    'a lower maximum',
    `${sent} properties degrees maximum`,
    90,
    'client message thing.turn.degrees has a different maximum: 90',
  ],
  [
    'a sent field that became required',
    `${sent} required 1`,
    'degrees',
    'client message thing.turn.degrees is now required',
  ],
  [
    'a removed field of an event',
    `${received} properties`,
    {},
    'service message thing.turned.data.degrees was removed',
  ],
  [
    'an event field that became optional',
    `${received} required`,
    [],
    'service message thing.turned.data.degrees is now optional',
  ],
]

const additions: readonly (readonly [what: string, place: string, value: unknown])[] = [
  ['a new field of an event', `${received} properties speed`, { type: 'number' }],
  ['a new optional field of a client message', `${sent} properties speed`, { type: 'number' }],
  ['a new close code', 'channels realtime x-close-codes lost', 4003],
  ['a new optional parameter', 'channels realtime bindings ws query properties name', {}],
]

describe('the comparison of socket descriptions [API-16]', () => {
  test('finds nothing between equal descriptions', () => {
    expect(findSocketBreaks(released, structuredClone(released))).toEqual([])
  })

  test.each(breaks)('finds %s', (_, place, value, found) => {
    expect(findSocketBreaks(released, edited(place, value))).toEqual([found])
  })

  test.each(additions)('accepts %s', (_, place, value) => {
    expect(findSocketBreaks(released, edited(place, value))).toEqual([])
  })

  test('fails on a broken reference', () => {
    expect(() => findSocketBreaks(released, edited('components messages turn', removed))).toThrow(
      '#/channels/realtime/messages/turn does not exist',
    )
  })
})
