import { describe, test } from 'vitest'
import { CallReader } from '#server/domain/realtime/calls/call-reader.js'
import { stepSequencer } from '#server/domain/realtime/calls/response-sequencer.js'
import { idleSequencer, type SequencerEvent } from '#server/domain/realtime/calls/sequencer-state.js'
import { expectLinear } from '../../../support/growth.js'
import { observeWire, type WireEvent } from '../../../support/realtime/decode-event.js'

/** Events that an untrusted peer may send in any number during a long session. */
const endless: readonly (readonly [string, (index: number) => SequencerEvent[]])[] = [
  ['requests of a client that a provider leaves open', () => [{ type: 'clientRequest' }]],
  [
    'responses that never end',
    (index) => [{ type: 'responseCreated', responseId: `r${index}`, isOutOfBand: false }],
  ],
  [
    'out-of-band responses that never end',
    (index) => [{ type: 'responseCreated', responseId: `r${index}`, isOutOfBand: true }],
  ],
  [
    'responses that never end, each with a client call',
    (index) => [
      { type: 'responseCreated', responseId: `r${index}`, isOutOfBand: false },
      { type: 'clientCall', responseId: `r${index}` },
    ],
  ],
  [
    'outputs that no response reads',
    (index) => [
      { type: 'clientCall', responseId: `r${index}` },
      { type: 'backendCall', responseId: `r${index}`, callId: `c${index}` },
      { type: 'outputPosted', callId: `c${index}` },
    ],
  ],
]

describe('the call sequencer [BND-11]', () => {
  test.each(endless)('takes time in proportion to the number of %s', async (_, eventsOf) => {
    await expectLinear(
      (factor) => Array.from({ length: 500 * factor }, (__, index) => eventsOf(index)).flat(),
      (events) => events.reduce((state, event) => stepSequencer(state, event).state, idleSequencer),
    )
  })
})

const call = (index: number) => ({
  id: `i${index}`,
  type: 'function_call',
  call_id: `c${index}`,
  name: 'n',
  arguments: '{}',
})

const responses: readonly (readonly [string, (count: number) => WireEvent[]])[] = [
  [
    'in one response',
    (count) => [
      {
        type: 'response.done',
        response: {
          id: 'r',
          status: 'completed',
          output: Array.from({ length: count }, (_, index) => call(index)),
        },
      },
    ],
  ],
  [
    'one by one',
    (count) =>
      Array.from({ length: count }, (_, index) => ({
        type: 'response.output_item.added',
        response_id: 'r',
        item: call(index),
      })),
  ],
]

describe('the call reader [BND-17]', () => {
  test.each(responses)(
    'takes time in proportion to the number of calls that arrive %s',
    async (_, eventsOf) => {
      await expectLinear(
        (factor) => eventsOf(1000 * factor),
        (events) => {
          const reader = new CallReader()
          for (const event of events) observeWire((decoded) => reader.read(decoded), event)
        },
      )
    },
  )
})
