import type { ServerResponse } from 'node:http'
import { streamChat } from './chat-stream.js'

/** The parts of a chat request that this model uses. */
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

/**
 * The task's instructions to the model: the number of steps, and whether to repeat steps with an unknown
 * outcome.
 */
interface Work {
  readonly key: string
  readonly steps: number
  readonly isStubborn: boolean
}

/** The last known state of a step in the conversation. */
interface KnownStep {
  readonly calls: number
  readonly isUnknown: boolean
}

export const describeWork = ({ key, steps, isStubborn }: Work) =>
  `Work ${key}: ${steps} steps${isStubborn ? ', stubbornly' : ''}.`

/**
 * A text model that works on its task step by step, with one tool call each. It knows only the messages of
 * the request. An obedient model does not repeat a step with an unknown outcome. A stubborn one repeats it
 * once. The answer lists the steps whose outcome is unknown.
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
  const steps = unknown.sort((one, other) => one - other).join(', ') || 'none'
  return streamChat(response, [{ role: 'assistant', content: `Worked ${work.key}. Unknown: ${steps}.` }])
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
    // A step stays unknown until a repetition succeeds.
    const output = outputs.get(made.id) ?? ''
    const isUnknown = /unknown/.test(output) || (before?.isUnknown === true && !/true/.test(output))
    known.set(step, { calls: (before?.calls ?? 0) + 1, isUnknown })
  }
  return known
}
