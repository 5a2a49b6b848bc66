import { describe, expect, it } from 'vitest'
import { readSessionEvent, type SessionEvent } from '#talk/session-event.js'
import { isOver, isSettled, newTurn, stepTurn } from '#talk/turn.js'

function event(value: object): SessionEvent {
  const read = readSessionEvent(JSON.stringify(value))
  if (read === null) throw new Error(`Unknown event: ${JSON.stringify(value)}.`)
  return read
}

const responseCreated = event({ type: 'response.created', response: {} })
const spoken = event({ type: 'response.output_audio_transcript.done', transcript: 'Hello.' })
const stored = event({ type: 'response.completed', data: { chatbotId: 'agent' } })
const speechStarted = event({ type: 'input_audio_buffer.speech_started' })
const error = event({ type: 'error', error: { type: 'invalid_request_error', message: 'No.' } })

function responseDone({ status = 'completed', calls = [] as string[], reason = '' } = {}): SessionEvent {
  const output = calls.map((call_id) => ({ type: 'function_call', call_id }))
  return event({ type: 'response.done', response: { status, status_details: { reason }, output } })
}

function outputGiven(call_id: string): SessionEvent {
  return event({ type: 'conversation.item.added', item: { type: 'function_call_output', call_id } })
}

function tool(what: 'start' | 'done', callId: string): SessionEvent {
  const data = { callId, title: 'A tool', chatbotId: 'agent' }
  const start = { arguments: '{}', approvalRequired: false }
  const done = { text: '', status: 1, executionTimeSeconds: 1 }
  return event({
    type: `response.function_invocation.${what}`,
    data: { ...data, ...(what === 'start' ? start : done) },
  })
}

function after(...events: SessionEvent[]) {
  const turn = events.reduce(stepTurn, newTurn)
  return { result: turn.result, isOver: isOver(turn), isSettled: isSettled(turn) }
}

const over = { result: 'answered', isOver: true, isSettled: true }
const going = { isOver: false, isSettled: false }

describe('a turn', () => {
  it('is not over before an answer', () => {
    expect(after()).toMatchObject(going)
    expect(after(responseCreated)).toMatchObject(going)
  })

  it('is over with an answer, and settled once the answer is stored', () => {
    const said = [responseCreated, spoken, responseDone()]
    expect(after(...said)).toEqual({ result: 'answered', isOver: true, isSettled: false })
    expect(after(...said, stored)).toEqual(over)
  })

  it('continues after a call until a response has read its output', () => {
    const called = [responseCreated, responseDone({ calls: ['a', 'b'] })]
    expect(after(...called)).toMatchObject(going)
    expect(after(...called, outputGiven('a'))).toMatchObject(going)
    expect(after(...called, outputGiven('a'), outputGiven('b'))).toMatchObject(going)
    const answered = [...called, outputGiven('a'), outputGiven('b'), responseCreated, responseDone()]
    expect(after(...answered)).toEqual(over)
  })

  it('waits for the next response if an output came before the end of the calling response', () => {
    const early = [responseCreated, outputGiven('a'), responseDone({ calls: ['a'] })]
    expect(after(...early)).toMatchObject(going)
    expect(after(...early, responseCreated, responseDone())).toEqual(over)
  })

  it('continues while a call waits, even if other messages arrive', () => {
    const waiting = [responseCreated, responseDone({ calls: ['a'] }), tool('start', 'a')]
    const meanwhile = [...waiting, responseCreated, responseDone()]
    expect(after(...meanwhile)).toMatchObject(going)
    expect(after(...meanwhile, outputGiven('a'), tool('done', 'a'))).toMatchObject(going)
  })

  it('waits for a tool that the service still reports on', () => {
    const running = [responseCreated, tool('start', 'a'), responseDone()]
    expect(after(...running)).toMatchObject(going)
    expect(after(...running, tool('done', 'a'))).toEqual(over)
  })

  it('continues if the user interrupts the answer', () => {
    const interrupted = responseDone({ status: 'cancelled', reason: 'turn_detected' })
    expect(after(responseCreated, speechStarted, interrupted)).toMatchObject(going)
    expect(after(responseCreated, responseDone(), speechStarted)).toMatchObject(going)
  })

  it('fails with its response, and with an error instead of a response', () => {
    expect(after(responseCreated, responseDone({ status: 'failed' }))).toMatchObject({ result: 'failed' })
    expect(after(error)).toEqual({ result: 'failed', isOver: true, isSettled: true })
    expect(after(responseCreated, error)).toMatchObject(going)
  })
})

describe('an event', () => {
  it.each(['', 'null', '[]', '{"type":"response.done"}', '{"type":"rate_limits.updated"}'])(
    'ignores events without a handler: %s',
    (frame) => {
      expect(readSessionEvent(frame)).toBeNull()
    },
  )

  it('accepts unknown fields', () => {
    expect(readSessionEvent('{"type":"subagent.done","data":{"chatbotId":"a","new":1},"new":2}')).toEqual({
      type: 'subagent.done',
      data: { chatbotId: 'a' },
    })
  })
})
