import { expect, test } from 'vitest'
import { soundsFinished } from '#engine/voice-activity/finished-sentence.js'

test.each([
  'What time is it?',
  'Cancel my order.',
  'Yes.',
  'order 42',
  'What is the weather in London',
  'When is breakfast served,',
])('judges %s as finished', (words) => {
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
])('judges %j as unfinished', (words) => {
  expect(soundsFinished(words)).toBe(false)
})
