import type { ServerResponse } from 'node:http'
import { streamChat } from './chat-stream.js'

/** What the service sends to a text model, as far as this one reads it. */
export interface WorkRequest {
  readonly messages: readonly {
    readonly role: string
    readonly content?: unknown
    readonly tool_call_id?: string
    readonly tool_calls?: readonly {
      readonly id: string
      readonly function: { readonly name: string; readonly arguments: string }
    }[]
  }[]
}

/** What the task tells the model: how many steps it has, and whether the model does again what may not have been done. */
interface Work {
  readonly key: string
  readonly steps: number
  readonly isStubborn: boolean
}

/** One step as the conversation tells it: the last thing that is known of it. */
interface KnownStep {
  readonly calls: number
  readonly isUnknown: boolean
}

export const describeWork = ({ key, steps, isStubborn }: Work) =>
  `Work ${key}: ${steps} steps${isStubborn ? ', stubbornly' : ''}.`

/**
 * A text model that works its task step by step, a call of its tool each, going by nothing but the messages it is shown. An
 * obedient one leaves a step alone whose outcome is unknown; a stubborn one calls it once more. Its answer says which
 * outcomes it was told to be unknown.
 */
export async function workOn(response: ServerResponse, { messages }: WorkRequest): Promise<void> {
  const work = workIn(messages)
  const known = knownSteps(messages)
  for (let step = 1; step <= work.steps; step += 1) {
    const before = known.get(step)
    const isAgain = work.isStubborn && before?.isUnknown === true && before.calls === 1
    if (before !== undefined && !isAgain) continue
    const given = JSON.stringify({ key: work.key, step })
    const made = { name: 'do_step', arguments: given }
    const call = { index: 0, id: `call_${step}_${before?.calls ?? 0}`, type: 'function', function: made }
    return streamChat(response, [{ role: 'assistant', tool_calls: [call] }], 'tool_calls')
  }
  const unknown = [...known].filter(([, { isUnknown }]) => isUnknown).map(([step]) => step)
  const told = unknown.sort((one, other) => one - other).join(', ') || 'none'
  return streamChat(response, [{ role: 'assistant', content: `Worked ${work.key}. Unknown: ${told}.` }])
}

function workIn(messages: WorkRequest['messages']): Work {
  for (const { role, content } of messages) {
    const found = role === 'user' && /Work (\S+): (\d+) steps(, stubbornly)?\./.exec(JSON.stringify(content))
    if (found) return { key: found[1] ?? '', steps: Number(found[2]), isStubborn: found[3] !== undefined }
  }
  return { key: 'nothing', steps: 0, isStubborn: false }
}

function knownSteps(messages: WorkRequest['messages']): ReadonlyMap<number, KnownStep> {
  const outputs = new Map(
    messages.flatMap(({ role, tool_call_id: id, content }) =>
      role === 'tool' && id !== undefined ? [[id, JSON.stringify(content)]] : [],
    ),
  )
  const known = new Map<number, KnownStep>()
  for (const made of messages.flatMap(({ tool_calls: calls }) => calls ?? [])) {
    const { step } = JSON.parse(made.function.arguments) as { step: number }
    const before = known.get(step)
    // What was unknown once stays so, unless the step was done again.
    const output = outputs.get(made.id) ?? ''
    const isUnknown = /unknown/.test(output) || (before?.isUnknown === true && !/true/.test(output))
    known.set(step, { calls: (before?.calls ?? 0) + 1, isUnknown })
  }
  return known
}
