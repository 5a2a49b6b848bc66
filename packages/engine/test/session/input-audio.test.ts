import { expect, test } from 'vitest'
import { InputAudio } from '#engine/session/input-audio.js'

/** Returns audio in which each sample holds the number of its millisecond. */
function sound(from: number, to: number): Int16Array {
  return Int16Array.from({ length: (to - from) * 16 }, (_, index) => from + Math.floor(index / 16))
}

test('time continues after audio is dropped or cleared', () => {
  const audio = new InputAudio()
  audio.append(sound(0, 30))
  audio.append(sound(30, 50))
  audio.dropBefore(40)
  expect([audio.heldMilliseconds, audio.endMilliseconds]).toEqual([10, 50])
  expect(audio.copy(0, 45)).toEqual(sound(40, 45))
  audio.clear()
  expect([audio.heldMilliseconds, audio.endMilliseconds]).toEqual([0, 50])
  audio.append(sound(50, 60))
  expect(audio.copy(52, 55)).toEqual(sound(52, 55))
  expect(audio.copy(58, 90)).toEqual(sound(58, 60))
  expect(audio.copy(70, 90)).toHaveLength(0)
})
