import { beforeEach, describe, expect, test } from 'vitest'
import { ResponseRequests } from '#server/domain/realtime/calls/response-requests.js'
import { decodeEvent, type WireEvent } from '../../../support/realtime/decode-event.js'
import { responseCreated, responseDone } from '../../../support/realtime/spoken-turns.js'
import { makeTestTimers, type TestTimers } from '../../../support/test-timers.js'

let timers: TestTimers
let requests: ResponseRequests
let sent: string[]

beforeEach(() => {
  timers = makeTestTimers()
  sent = []
  requests = new ResponseRequests({
    timers,
    activity: { lastProviderFrameAt: 0, noteActivity: () => undefined },
    listener: { sendToProvider: () => sent.push('service'), end: () => undefined },
  })
  // The service requests the answer that a lost provider owed.
  requests.step({ type: 'clientRequest' })
  requests.startHolding()
})

function observe(event: WireEvent): void {
  const decoded = decodeEvent(event)
  if (decoded !== null) requests.observe(decoded)
}

const hold = (name: string) => requests.hold(() => sent.push(name))

describe('a request of the client after a move', () => {
  test('waits for the response of the service and its end [RT-61]', () => {
    hold('client')
    observe(responseCreated('R'))
    expect(sent).toEqual([])
    observe(responseDone('R'))
    expect(sent).toEqual(['client'])
    expect(requests.isHolding).toBe(false)
  })

  test('waits for a response that the service requests after calls of that response [RT-61]', () => {
    hold('client')
    observe(responseCreated('R'))
    requests.step({ type: 'backendCall', responseId: 'R', callId: 'C' })
    requests.step({ type: 'outputPosted', callId: 'C' })
    observe(responseDone('R'))
    expect(sent).toEqual(['service'])
    observe(responseCreated('S'))
    observe(responseDone('S'))
    expect(sent).toEqual(['service', 'client'])
  })

  test('is sent once the request of the service is lost [RT-61]', () => {
    hold('client')
    timers.advance(10_000)
    expect(sent).toEqual(['client'])
  })

  test('is replaced by a newer one [RT-61]', () => {
    hold('client')
    hold('newer')
    observe(responseCreated('R'))
    observe(responseDone('R'))
    expect(sent).toEqual(['newer'])
  })

  test('is sent once [RT-61]', () => {
    hold('client')
    requests.endHolding()
    observe(responseCreated('R'))
    observe(responseDone('R'))
    expect(sent).toEqual(['client'])
  })

  test('is not sent after the client has cancelled it [RT-61]', () => {
    hold('client')
    requests.dropHeld()
    observe(responseCreated('R'))
    observe(responseDone('R'))
    expect(sent).toEqual([])
  })
})
