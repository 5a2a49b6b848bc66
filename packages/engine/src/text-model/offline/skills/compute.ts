import type { ModelMessage } from '../../text-model.js'
import { calculate, calculateOn } from '../arithmetic.js'
import { answerDateQuestion, answerNow, timeIn } from '../date-questions.js'
import { findPlace, findZone } from '../find-names.js'
import { parametersOf } from '../parameter.js'
import { type OfflineStep, type Question, say } from '../question.js'
import { isClockTool } from '../tool-kind.js'
import { convertUnits } from '../units.js'

/** What can be worked out: sums, units, dates and the time. Rightly, or not at all. */
export function compute({ words, clock, tools, choice, earlier }: Question): OfflineStep | null {
  if (choice !== 'auto' && choice !== 'none') return null
  const clockTool = tools.find(isClockTool)
  const answer =
    calculate(words) ??
    calculateOn(words, lastAnswer(earlier)) ??
    convertUnits(words) ??
    answerDateQuestion(words, clock) ??
    (clockTool === undefined ? answerNow(words, clock) : null)
  if (answer !== null) return say(answer)
  if (
    !/\b(?:time|late)\b.* (?:is it|it is)?\s*(?:now |right now )?in [A-Za-z]/i.test(words) ||
    /\d/.test(words)
  )
    return null
  const knowsPlaces =
    clockTool !== undefined && parametersOf(clockTool).some(({ kind }) => kind === 'zone' || kind === 'place')
  const zone = findZone(words)
  const place = findPlace(words, [])
  if (zone === null) return place === null ? null : say(`I do not know the time zone of ${place}.`)
  return knowsPlaces || place === null ? null : say(timeIn(place, clock, zone))
}

function lastAnswer(earlier: readonly ModelMessage[]): string {
  const last = earlier.at(-1)
  return last?.role === 'assistant' ? last.text : ''
}
