import { expect, test } from 'vitest'
import { findReplay } from '../src/rest/replayed-request.js'

const statements = (...texts: string[]) => texts.map((text) => ({ text, values: [] }))
const request = statements('begin', 'select 1', 'commit', 'begin', 'insert', 'commit')

test('replays the statements that most recordings share, without background statements', () => {
  const recordings = [[...request, ...statements('begin', 'delete', 'commit')], request, request]
  expect(findReplay(recordings).statements).toEqual(request)
})

test('replays whole transactions if one recording ended before a commit', () => {
  expect(findReplay([request, request, request.slice(0, -1)]).statements).toEqual(request)
})
