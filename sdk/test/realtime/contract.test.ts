import { type CustomEvent as ContractEvent, closeCodes, customEvents } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { type CustomEvent, isCustomType } from '#sdk/realtime/custom-event.js'
import { endOfClose } from '#sdk/realtime/voice-end.js'

/** Times are text on the wire. */
type OnTheWire<Value> = Value extends Date
  ? string
  : Value extends object
    ? { readonly [Name in keyof Value]: OnTheWire<Value[Name]> }
    : Value

type IsSame<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false

describe('[SDK-22] the events of the contract', () => {
  test('are those that the client knows, field by field', () => {
    const areSame: IsSame<OnTheWire<ContractEvent>, CustomEvent> = true
    expect(areSame).toBe(true)
    expect(Object.keys(customEvents).filter((type) => !isCustomType(type))).toEqual([])
  })

  test('[SDK-25] and so are the reasons of an end', () => {
    const known = Object.values(closeCodes).map((code) => [endOfClose(code).reason, code])
    expect(Object.fromEntries(known)).toEqual(closeCodes)
  })
})
