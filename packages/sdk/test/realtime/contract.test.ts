import { closeCodes, customEvents } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { isCustomType } from '#sdk/realtime/custom-event.js'
import { endOfClose } from '#sdk/realtime/voice-end.js'

describe('[SDK-22] what the contract says of the socket', () => {
  test('has no event that the client takes for a stranger', () => {
    expect(Object.keys(customEvents).filter((type) => !isCustomType(type))).toEqual([])
  })

  test('[SDK-25] has no end without words', () => {
    const ends = Object.values(closeCodes).map(endOfClose)
    expect(Object.fromEntries(ends.map(({ reason, closeCode }) => [reason, closeCode]))).toEqual(closeCodes)
    for (const { message } of ends) expect(message).toMatch(/^[A-Z].*\.$/)
  })
})
