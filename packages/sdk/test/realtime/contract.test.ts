import { closeCodes, sessionEvents } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { isCustomType } from '#sdk/realtime/custom-event.js'
import { endOfClose } from '#sdk/realtime/voice-end.js'

describe("The socket's contract", () => {
  test('has no event that is unknown to the client [SDK-22]', () => {
    expect(Object.keys(sessionEvents).filter((type) => !isCustomType(type))).toEqual([])
  })

  test('has no end reason without a message [SDK-25] [SDK-22]', () => {
    const ends = Object.values(closeCodes).map(endOfClose)
    expect(Object.fromEntries(ends.map(({ reason, closeCode }) => [reason, closeCode]))).toEqual(closeCodes)
    for (const { message } of ends) expect(message).toMatch(/^[A-Z].*\.$/)
  })
})
