import { afterAll, expect, test } from 'vitest'
import { makeOfflineModel } from '#engine/text-model/offline/offline-model.js'
import { keptApart } from './utterances/kept-apart.js'
import { count, judgeAll, scoreTable } from './utterances/score.js'
import { tuned } from './utterances/tuned.js'

const model = makeOfflineModel({ now: () => new Date(2026, 10, 15, 12, 0) })
afterAll(() => model.close())

const minRightShare = 0.9

test('there are 150 utterances, half of them kept apart, and none stands in both halves', () => {
  expect(tuned.length + keptApart.length).toBeGreaterThanOrEqual(150)
  expect(keptApart.length).toBeGreaterThanOrEqual(75)
  const texts = new Set(tuned.map(({ said, setting }) => `${setting}: ${said.join(' / ')}`))
  expect(keptApart.filter(({ said, setting }) => texts.has(`${setting}: ${said.join(' / ')}`))).toEqual([])
})

test('[ENG-14] what it was tuned on is right', { timeout: 120_000 }, async () => {
  const judged = await judgeAll(model, tuned)
  process.stdout.write(`\nThe offline model, the half it was tuned on:\n${scoreTable(judged)}\n`)
  const failed = judged.filter(({ verdict }) => verdict !== 'right')
  expect(failed.map(({ said, verdict, step }) => [said.join(' / '), verdict, step.text, step.calls])).toEqual(
    [],
  )
})

test('[ENG-14] nine of ten that were kept apart are right, and none is a bluff', {
  timeout: 120_000,
}, async () => {
  const judged = await judgeAll(model, keptApart)
  process.stdout.write(`\nThe offline model, the half kept apart:\n${scoreTable(judged)}\n`)
  expect({
    isRight: count(judged, 'right') / judged.length >= minRightShare,
    bluffs: count(judged, 'wrong'),
  }).toEqual({ isRight: true, bluffs: 0 })
})
