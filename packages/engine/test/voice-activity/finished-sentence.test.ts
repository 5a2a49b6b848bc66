import { expect, test } from 'vitest'
import { soundsFinished } from '#engine/voice-activity/finished-sentence.js'

test.each([
  'What time is it?',
  'Cancel my order.',
  'Yes.',
  'order 42',
  'What is the weather in London',
  'When is breakfast served,',
])('finished: %s', (words) => {
  expect(soundsFinished(words)).toBe(true)
})

test.each([
  '',
  '...',
  'Cancel the',
  'I would like to',
  'Create a task and',
  'Well,',
  'Send an email to...',
  'Um.',
  'The weather in',
])('not finished: %j', (words) => {
  expect(soundsFinished(words)).toBe(false)
})
