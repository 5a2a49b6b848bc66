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
  ['keeps a valid conversation unchanged', [system('s'), user('a')], [system('s'), user('a')]],
  [
    'moves later system messages to the start',
    [system('one'), user('a'), system('two'), said('b'), user('c')],
    [system('one\n\ntwo'), user('a'), said('b'), user('c')],
  ],
  ['begins a conversation without messages', [system('s')], [system('s'), begins]],
  ['begins an empty conversation', [], [begins]],
  [
    'adds a user message before a first message of the agent',
    [said('hello'), user('a')],
    [begins, said('hello'), user('a')],
  ],
  [
    'adds a user message after a last message of the agent',
    [user('a'), said('b')],
    [user('a'), said('b'), goesOn],
  ],
  [
    'moves a late result to its call',
    [user('a'), called('1'), user('b'), said('c'), result('1')],
    [user('a'), called('1'), result('1'), user('b'), said('c'), goesOn],
  ],
  [
    'adds a result for a call that has none',
    [user('a'), called('1', '2'), result('2'), user('b')],
    [user('a'), called('1', '2'), unfinished('1'), result('2'), user('b')],
  ],
  [
    'accepts results at the end',
    [user('a'), called('1'), result('1')],
    [user('a'), called('1'), result('1')],
  ],
  ['drops a result without a call', [user('a'), result('9')], [user('a')]],
]

test.each(cases)('%s', (_, messages, expected) => {
  expect(chatMessages(messages)).toEqual(expected)
})
