import { TurnEvent } from '@parley/contract'
import { expect } from 'vitest'
import type { ReceivedEvent } from './event-stream.js'

/** Returns the text of an answer from its deltas. */
export function wordsIn(received: readonly ReceivedEvent[]): string {
  return received.map(({ event }) => (event.type === 'response.text.delta' ? event.data.delta : '')).join('')
}

/** Expects complete events in order, without repetition, that match the contract. */
export function expectCompleteStream(received: readonly ReceivedEvent[], last = 'response.completed'): void {
  for (const { event } of received) TurnEvent.parse(event)
  expect(received.map(({ id }) => id)).toEqual(received.map((_, index) => index + 1))
  const types = received.map(({ event }) => event.type)
  expect(types.slice(0, 2)).toEqual(['turn.started', 'message.created'])
  expect(types.filter((type) => type === 'message.created')).toHaveLength(1)
  expect(types.slice(-2)).toEqual(['response.id', last])
}

/** A promise and the function that resolves it. */
export interface Held {
  readonly released: Promise<void>
  release(): void
}

/** A promise that a model waits for before it continues. */
export function hold(): Held {
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  return { released, release: () => release() }
}
