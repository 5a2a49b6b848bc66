import {
  type ChatCall,
  type ChatMessage,
  type ChatModels,
  type ChatStep,
  type ChatTarget,
  type ChatTool,
  type ChatUsage,
  noUsage,
} from '../../ports/chat-model.js'
import { answerCalls, messagesAfter } from './answer-calls.js'
import { AnswerText } from './answer-text.js'
import { addUsage } from './chat-usage.js'
import { settledOrAborted } from './settled-or-aborted.js'

export const defaultMaxSteps = 8

export interface TextTurn {
  readonly models: ChatModels
  readonly target: ChatTarget
  /** The conversation so far, the question last. */
  readonly messages: readonly ChatMessage[]
  readonly tools: readonly ChatTool[]
  /** Answers a call with what the model is to read. Never rejects: a failure is something to read, too. */
  readonly callTool: (call: ChatCall) => Promise<string>
  /** How many steps may call tools; 8 where it is left out. */
  readonly maxSteps?: number | undefined
  readonly stepTimeoutMilliseconds: number
  readonly signal: AbortSignal
  /** Hears the answer as it comes; the deltas together are the text of the outcome. */
  readonly onText?: ((delta: string) => void) | undefined
}

/** `text` is all that was said in the turn, `usage` all that it took, whatever came of it. */
export type TextTurnOutcome =
  | {
      readonly outcome: 'answered'
      readonly text: string
      readonly usage: ChatUsage
      /** How many times the model was asked. */
      readonly steps: number
    }
  | {
      readonly outcome: 'failed'
      readonly detail: string
      readonly text: string
      readonly usage: ChatUsage
    }
  | { readonly outcome: 'aborted'; readonly text: string; readonly usage: ChatUsage }

/**
 * The one loop of a text turn: the model speaks and calls tools, the tools answer, the model goes on, until it calls
 * none. A model that does not come to an end is asked once more, without tools, so that there is an answer.
 */
export async function runTextTurn(turn: TextTurn): Promise<TextTurnOutcome> {
  const spoken = new AnswerText(turn.onText)
  const outcome = await runSteps(turn, spoken)
  spoken.close()
  return outcome
}

async function runSteps(turn: TextTurn, spoken: AnswerText): Promise<TextTurnOutcome> {
  const { signal, maxSteps = defaultMaxSteps } = turn
  let messages = turn.messages
  let usage = noUsage
  const said = () => ({ text: spoken.text, usage })

  for (let steps = 1; !signal.aborted; steps += 1) {
    const isLast = steps > maxSteps
    const step = await settledOrAborted(askModel(turn, messages, isLast, spoken), signal)
    if (step === 'aborted') break
    spoken.finishStep(step.text)
    usage = addUsage(usage, step.usage)
    if (step.outcome === 'failed') return { outcome: 'failed', detail: step.detail, ...said() }
    if (step.calls.length === 0 || isLast) return { outcome: 'answered', ...said(), steps }

    const answered = await settledOrAborted(answerCalls(step.calls, turn.callTool), signal)
    if (answered === 'aborted') break
    messages = messagesAfter(messages, step.text, answered)
  }
  return { outcome: 'aborted', ...said() }
}

function askModel(
  { models, target, tools, stepTimeoutMilliseconds, signal }: TextTurn,
  messages: readonly ChatMessage[],
  isLast: boolean,
  spoken: AnswerText,
): Promise<ChatStep> {
  return models.step({
    target,
    messages,
    tools: isLast ? [] : tools,
    timeoutMilliseconds: stepTimeoutMilliseconds,
    signal,
    onText: (delta) => spoken.hear(delta),
  })
}
