import type { OfflineModel, OfflineStep } from '#engine/text-model/offline/offline-model.js'
import type { ModelMessage } from '#engine/text-model/text-model.js'
import type { Utterance, Verdict } from './expected-act.js'
import { openingOf, type Setting, settings } from './settings.js'

export interface Judged extends Utterance {
  readonly verdict: Verdict
  readonly step: OfflineStep
}

/** Says them all to the model, each in a conversation of its own. */
export async function judgeAll(model: OfflineModel, utterances: readonly Utterance[]): Promise<Judged[]> {
  const judged: Judged[] = []
  for (const utterance of utterances) {
    const step = await talkThrough(model, settings[utterance.setting], utterance.said)
    judged.push({ ...utterance, step, verdict: utterance.expected(step) })
  }
  return judged
}

async function talkThrough(
  model: OfflineModel,
  setting: Setting,
  said: readonly string[],
): Promise<OfflineStep> {
  const { tools, files, results = {} } = setting
  const messages: ModelMessage[] = openingOf(setting)
  let step: OfflineStep = { text: '', calls: [] }
  for (const [index, text] of said.entries()) {
    if (files !== undefined) messages.push({ role: 'user', text: files })
    messages.push({ role: 'user', text })
    step = await model.step({ messages, tools })
    messages.push({ role: 'assistant', ...step })
    if (step.calls.length === 0 || index === said.length - 1) continue
    for (const { callId, name } of step.calls)
      messages.push({ role: 'tool', callId, name, output: results[name] ?? 'Done.' })
    messages.push({ role: 'assistant', ...(await model.step({ messages, tools })) })
  }
  return step
}

/** How many of a half were right, missed and wrong, by category. */
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
