import { describe, expect, test } from 'vitest'
import { CallReader } from '#server/domain/realtime/calls/call-reader.js'
import { observeWire, type WireEvent } from '../../../support/realtime/decode-event.js'

type Fields = Readonly<Record<string, unknown>>

const item = { id: 'i', type: 'function_call', call_id: 'c', name: 'n', arguments: '{"x":1}' }
const without = (fields: Fields, ...names: string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))

const added = (fields: Fields = { ...item, arguments: '' }): WireEvent => ({
  type: 'response.output_item.added',
  response_id: 'r',
  item: fields,
})
const finished = (fields: Fields = item): WireEvent => ({
  type: 'response.output_item.done',
  response_id: 'r',
  item: fields,
})
const spelled = (...left: string[]): WireEvent => ({
  ...without({ item_id: 'i', call_id: 'c', name: 'n', arguments: '{"x":1}', response_id: 'r' }, ...left),
  type: 'response.function_call_arguments.done',
})
const over = (status: string, output: readonly unknown[] = []): WireEvent => ({
  type: 'response.done',
  response: { id: 'r', status, output },
})
const incomplete = { ...item, status: 'incomplete', arguments: '{"x' }

/** Each row: the events, and what is read from each of them, as `progress call name arguments`. */
const rows: readonly (readonly [string, readonly WireEvent[], readonly (readonly string[])[]])[] = [
  ['a call that begins', [added()], [['named c n ']]],
  ['the arguments of a call', [spelled()], [['complete c n {"x":1}']]],
  ['the finished item of a call', [finished()], [['complete c n {"x":1}']]],
  [
    'a whole response',
    [added(), spelled(), finished(), over('completed', [item])],
    [['named c n '], ['complete c n {"x":1}'], ['complete c n {"x":1}'], ['complete c n {"x":1}']],
  ],
  ['arguments without a name', [added(), spelled('name')], [['named c n '], ['complete c n {"x":1}']]],
  ['arguments without a call', [added(), spelled('call_id')], [['named c n '], ['complete c n {"x":1}']]],
  ['arguments without arguments', [spelled('arguments')], [['complete c n ']]],
  ['arguments of an unknown call', [spelled('name')], [[]]],
  ['an item without a name', [finished(without(item, 'name'))], [[]]],
  [
    'an item without a name that had one',
    [added(), finished(without(item, 'name'))],
    [['named c n '], ['complete c n {"x":1}']],
  ],
  ['an item without an id', [finished(without(item, 'id'))], [['complete c n {"x":1}']]],
  ['an item of another type', [finished({ ...item, type: 'message' })], [[]]],
  ['an item that is incomplete', [finished(incomplete)], [['cut-off c n {"x']]],
  ['a response without earlier events', [over('completed', [item])], [['complete c n {"x":1}']]],
  ['a response that cuts off an item', [over('completed', [incomplete])], [['cut-off c n {"x']]],
  [
    'a response that ends early',
    [added(), over('cancelled', [incomplete])],
    [['named c n '], ['cut-off c n ']],
  ],
  [
    'a response that ends early and lists no items',
    [added(), over('failed')],
    [['named c n '], ['cut-off c n ']],
  ],
  [
    'a response that ends early without earlier events',
    [over('incomplete', [item])],
    [['cut-off c n {"x":1}']],
  ],
  [
    'a response that ends early after its call was complete',
    [added(), spelled(), over('cancelled', [item])],
    [['named c n '], ['complete c n {"x":1}'], ['complete c n {"x":1}']],
  ],
  [
    'a call that is named again after it was complete',
    [spelled(), added(), over('cancelled')],
    [['complete c n {"x":1}'], ['named c n '], []],
  ],
  [
    'the end of another response',
    [added(), { ...over('cancelled'), response: { id: 'q' } }],
    [['named c n '], []],
  ],
  [
    'a response that ends twice',
    [added(), over('failed'), over('failed')],
    [['named c n '], ['cut-off c n '], []],
  ],
  ['an item of the conversation', [{ ...added(), type: 'conversation.item.added' }], [[]]],
  ['a piece of arguments', [{ ...spelled(), type: 'response.function_call_arguments.delta' }], [[]]],
  ['an end without a response', [{ type: 'response.done' }], [[]]],
  ['an output that is not a list', [{ type: 'response.done', response: { id: 'r', output: item } }], [[]]],
  ['invalid items', [over('completed', [null, 'x', 7, [item]])], [[]]],
]

const read = (reader: CallReader, event: WireEvent) => observeWire((decoded) => reader.read(decoded), event)

describe('CallReader', () => {
  test.each(rows)('reads %s', (_, events, expected) => {
    const reader = new CallReader()
    const reports = events.map((event) =>
      read(reader, event).map(
        ({ progress, callId, name, argumentsText }) => `${progress} ${callId} ${name} ${argumentsText}`,
      ),
    )
    expect(reports).toEqual(expected)
  })

  test('reports the response that made a call', () => {
    const reader = new CallReader()
    for (const event of [added(), spelled(), finished(), over('completed', [item])])
      expect(read(reader, event)).toMatchObject([{ responseId: 'r' }])
    expect(read(reader, without(spelled(), 'response_id') as WireEvent)).toMatchObject([{ responseId: '' }])
  })
})
