import { expect, test } from 'vitest'
import { chatMessages } from '#engine/text-model/chat-messages.js'
import type { ModelMessage } from '#engine/text-model/text-model.js'

const system = (text: string): ModelMessage => ({ role: 'system', text })
const user = (text: string): ModelMessage => ({ role: 'user', text })
const said = (text: string): ModelMessage => ({ role: 'assistant', text, calls: [] })
const called = (...callIds: string[]): ModelMessage => ({
  role: 'assistant',
  text: '',
  calls: callIds.map((callId) => ({ callId, name: 'look', arguments: '{}' })),
})
const result = (callId: string, output = `result of ${callId}`): ModelMessage => ({
  role: 'tool',
  callId,
  name: 'look',
  output,
})
const unfinished = (callId: string) => result(callId, expect.stringContaining('not finished') as string)

const begins = user('(The conversation begins.)')
const goesOn = user('(The user says nothing. Go on.)')

const cases: readonly (readonly [string, readonly ModelMessage[], readonly ModelMessage[]])[] = [
  ['an orderly talk stays as it is', [system('s'), user('a')], [system('s'), user('a')]],
  [
    'rules that are added on the way come first',
    [system('one'), user('a'), system('two'), said('b'), user('c')],
    [system('one\n\ntwo'), user('a'), said('b'), user('c')],
  ],
  ['a talk of nobody', [system('s')], [system('s'), begins]],
  ['nothing at all', [], [begins]],
  ['the agent spoke first', [said('hello'), user('a')], [begins, said('hello'), user('a')]],
  ['the agent spoke last', [user('a'), said('b')], [user('a'), said('b'), goesOn]],
  [
    'a result that came after other words',
    [user('a'), called('1'), user('b'), said('c'), result('1')],
    [user('a'), called('1'), result('1'), user('b'), said('c'), goesOn],
  ],
  [
    'a result that has not come',
    [user('a'), called('1', '2'), result('2'), user('b')],
    [user('a'), called('1', '2'), unfinished('1'), result('2'), user('b')],
  ],
  ['results are last', [user('a'), called('1'), result('1')], [user('a'), called('1'), result('1')]],
  ['a result of no call', [user('a'), result('9')], [user('a')]],
]

test.each(cases)('what chat services are told: %s', (_, messages, expected) => {
  expect(chatMessages(messages)).toEqual(expected)
})
