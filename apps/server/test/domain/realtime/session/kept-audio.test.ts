import { expect, test } from 'vitest'
import { KeptAudio } from '#server/domain/realtime/session/kept-audio.js'

test('the user has stopped speaking once another provider has committed the speech again [RT-61]', () => {
  const audio = new KeptAudio(64)
  audio.append(Buffer.from('audio'))
  audio.noteSpeech()
  audio.noteCommitted('first')
  audio.restart()
  expect(audio.turns).toMatchObject([{ itemId: null }])
  audio.noteSpeech()
  expect(audio.isSpeaking).toBe(true)
  audio.noteCommitted('second')
  expect(audio.isSpeaking).toBe(false)
  expect(audio.turns).toMatchObject([{ itemId: 'second' }])
})
