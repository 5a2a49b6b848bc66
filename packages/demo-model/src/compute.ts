import { isClockTool } from './choose-tool.js'
import { type Question, type Step, say } from './conversation.js'
import { answerDateQuestion, answerNow } from './dates.js'
import { calculate } from './sums.js'

/** Answers sums and questions for dates and times. */
export function compute({ words, clock, tools }: Question): Step | null {
  const answer =
    calculate(words) ??
    // "And typed: what is 2 plus 2?"
    calculate(words.split(/[:,;]\s+/).at(-1) ?? '') ??
    answerDateQuestion(words, clock) ??
    (tools.some(isClockTool) ? null : answerNow(words, clock))
  return answer === null ? null : say(answer)
}
