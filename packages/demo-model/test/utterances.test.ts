import { expect, test } from 'vitest'
import { makeDemoModel } from '#demo/demo-model.js'
import { keptApart } from './utterances/kept-apart.js'
import { count, judgeAll, scoreTable } from './utterances/score.js'
import { tuned } from './utterances/tuned.js'

const model = makeDemoModel({ now: () => new Date(2026, 10, 15, 12, 0) })

const minRightShare = 0.9

test('the halves share no utterance', () => {
  const texts = new Set(tuned.map(({ said, setting }) => `${setting}: ${said.join(' / ')}`))
  expect(keptApart.filter(({ said, setting }) => texts.has(`${setting}: ${said.join(' / ')}`))).toEqual([])
})

test('every utterance of the tuned half is answered right [ENG-14]', () => {
  const judged = judgeAll(model, tuned)
  process.stdout.write(`\nThe demo model, the half it was tuned on:\n${scoreTable(judged)}\n`)
  const failed = judged.filter(({ verdict }) => verdict !== 'right')
  expect(failed.map(({ said, verdict, step }) => [said.join(' / '), verdict, step.text, step.calls])).toEqual(
    [],
  )
})

test('nine of ten utterances of the other half are answered right, and none wrong [ENG-14]', () => {
  const judged = judgeAll(model, keptApart)
  process.stdout.write(`\nThe demo model, the half kept apart:\n${scoreTable(judged)}\n`)
  expect({
    isRight: count(judged, 'right') / judged.length >= minRightShare,
    bluffs: count(judged, 'wrong'),
  }).toEqual({ isRight: true, bluffs: 0 })
})
