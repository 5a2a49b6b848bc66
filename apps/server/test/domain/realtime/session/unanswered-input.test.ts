import { describe, expect, test } from 'vitest'
import { UnansweredInput } from '#server/domain/realtime/session/unanswered-input.js'
import { decodeEvent, type WireEvent } from '../../../support/realtime/decode-event.js'
import {
  answered,
  committed,
  responseCreated,
  responseDone,
  spoke,
  transcribed,
  typedItem,
} from '../../../support/realtime/spoken-turns.js'

const bytesPerMillisecond = 64
const created = responseCreated('response of A')
const done = responseDone('response of A')
const frame = (event: object) => Buffer.from(JSON.stringify(event))
const request = frame({ type: 'response.create' })
const typed = (itemId: string) =>
  frame({ type: 'conversation.item.create', item: typedItem(itemId, 'Another question') })
const echo = (itemId: string) => ({
  type: 'conversation.item.added',
  item: typedItem(itemId, 'Another question'),
})

function observe(input: UnansweredInput, events: readonly WireEvent[]): void {
  for (const event of events) {
    const decoded = decodeEvent(event)
    if (decoded !== null) input.observe(decoded, true)
  }
}

/** Returns the input of a session that has observed these events. */
function inputAfter(...events: readonly WireEvent[]): UnansweredInput {
  const input = new UnansweredInput(bytesPerMillisecond)
  observe(input, events)
  return input
}

describe('an answer that was cut off', () => {
  const events = [committed('U'), transcribed('U', 'Hello'), created, spoke('A', 'Good ')]

  test('is cut off until a provider has continued it [RT-61]', () => {
    const input = inputAfter(...events)
    expect(input.take()).toMatchObject({ isAnswerDue: true, isCutOff: true })
    expect(input.take()).toMatchObject({ isCutOff: true })
    observe(input, [created])
    expect(input.take()).toMatchObject({ isAnswerDue: true, isCutOff: true })
    observe(input, [created, spoke('A', 'morning.')])
    expect(input.take()).toMatchObject({ isCutOff: true })
    observe(input, [created, answered('A', 'morning.')])
    expect(input.take()).toMatchObject({ isAnswerDue: false, isCutOff: false })
  })

  test('is complete after the end of its response [RT-61]', () => {
    const input = inputAfter(...events)
    input.take()
    observe(input, [created, done])
    expect(input.take()).toMatchObject({ isAnswerDue: false, isCutOff: false })
  })

  const lost = { type: 'failed', error: { code: 'provider_closed', message: 'overloaded' } }
  const cut = responseDone('response of A', { status: 'failed', status_details: lost, output: [] })

  test('is due if its provider has ended it because its own connection was lost [RT-61]', () => {
    const input = inputAfter(...events, answered('A', 'Good '), cut)
    expect(input.isAnswering).toBe(false)
    expect(input.take()).toMatchObject({ isAnswerDue: true, isCutOff: true })
  })

  test.each([
    ['the provider has continued it', [created, answered('A', 'morning.'), done]],
    ['the user has said something else', [committed('V'), transcribed('V', 'Wait'), created, done]],
  ])('is not due if %s in another connection [RT-61]', (_case, next) => {
    const input = inputAfter(...events, cut, ...next)
    expect(input.take()).toMatchObject({ isAnswerDue: false, isCutOff: false })
  })

  test.each([
    ['speech follows during the response', [...events, committed('V'), transcribed('V', 'Wait')], []],
    ['speech follows after the move', events, [committed('V'), transcribed('V', 'Wait')]],
    ['text follows during the response', [...events, echo('T')], []],
    ['text follows after the move', events, [echo('T')]],
    [
      'the answer to later speech has no words yet',
      events,
      [committed('V'), transcribed('V', 'Wait'), created],
    ],
  ])('is not continued if %s [RT-61]', (_, before, after) => {
    const input = inputAfter()
    input.noteTyped(typed('T'), 'T')
    observe(input, before)
    if (after.length > 0) input.take()
    observe(input, after)
    expect(input.take().isCutOff).toBe(false)
  })
})

describe('the request of the client', () => {
  test('belongs to the provider that has received it [RT-61]', () => {
    const input = new UnansweredInput(bytesPerMillisecond)
    input.noteRequest(request)
    expect(input.clientRequest).toEqual(request)
    input.take()
    expect(input.clientRequest).toBeNull()
  })

  test.each<[string, (input: UnansweredInput) => void]>([
    ['text', (input) => input.noteTyped(typed('T'), 'T')],
    ['a commit', (input) => input.commit()],
    ['the output of a call', (input) => input.noteOutput()],
    ['speech', (input) => observe(input, [committed('U')])],
  ])('is about new input if %s has come since the move [RT-61]', (_, send) => {
    const input = inputAfter()
    send(input)
    expect(input.hasNewInput).toBe(true)
    input.take()
    expect(input.hasNewInput).toBe(false)
  })
})
