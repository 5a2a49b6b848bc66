import type { Message, Step } from '#demo/conversation.js'
import type { DemoModel } from '#demo/demo-model.js'
import type { Utterance, Verdict } from './expected-act.js'
import { openingOf, type Setting, settings } from './settings.js'

export interface Judged extends Utterance {
  readonly verdict: Verdict
  readonly step: Step
}

/** Says each utterance to the model in a conversation of its own. */
export function judgeAll(model: DemoModel, utterances: readonly Utterance[]): Judged[] {
  const judged: Judged[] = []
  for (const utterance of utterances) {
    const step = runConversation(model, settings[utterance.setting], utterance.said)
    judged.push({ ...utterance, step, verdict: utterance.expected(step) })
  }
  return judged
}

function runConversation(model: DemoModel, setting: Setting, said: readonly string[]): Step {
  const { tools, files, results = {} } = setting
  const messages: Message[] = openingOf(setting)
  let step: Step = { text: '', calls: [] }
  for (const [index, text] of said.entries()) {
    if (files !== undefined) messages.push({ role: 'user', text: files })
    messages.push({ role: 'user', text })
    step = model.step({ messages, tools })
    messages.push({ role: 'assistant', ...step })
    if (step.calls.length === 0 || index === said.length - 1) continue
    for (const { callId, name } of step.calls)
      messages.push({ role: 'tool', callId, name, output: results[name] ?? 'Done.' })
    messages.push({ role: 'assistant', ...model.step({ messages, tools }) })
  }
  return step
}

/** Returns a table of right, missed and wrong answers by category. */
export function scoreTable(judged: readonly Judged[]): string {
  const categories = [...new Set(judged.map(({ category }) => category))]
  const rows = [
    ...categories.map((category) => [category, judged.filter((one) => one.category === category)] as const),
    ['all', judged] as const,
  ]
  const line = (...cells: readonly string[]) =>
    `${cells[0]?.padEnd(20)}${cells
      .slice(1)
      .map((cell) => cell.padStart(8))
      .join('')}`
  return [
    line('category', 'right', 'missed', 'wrong', 'of'),
    ...rows.map(([name, all]) =>
      line(
        name,
        ...(['right', 'missed', 'wrong'] as const).map((one) => `${count(all, one)}`),
        `${all.length}`,
      ),
    ),
  ].join('\n')
}

export function count(judged: readonly Judged[], verdict: Verdict): number {
  return judged.filter((one) => one.verdict === verdict).length
}
