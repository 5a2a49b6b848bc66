import type {
  ChatCall,
  ChatMessage,
  ChatModels,
  ChatStep,
  ChatTarget,
  ChatTool,
} from '../../ports/chat-model.js'
import type { StepCounter } from '../usage/use-counter.js'

const defaultMaxSteps = 8

export interface TextTurn {
  readonly models: ChatModels
  readonly target: ChatTarget
  /** The conversation so far. The question comes last. */
  readonly messages: readonly ChatMessage[]
  readonly tools: readonly ChatTool[]
  /**
   * Runs a call and returns its output for the model. Never rejects, because the model receives failures as
   * well.
   */
  readonly callTool: (call: ChatCall) => Promise<string>
  /** Per step. Defaults to the model's own limit. */
  readonly maxOutputTokens?: number | undefined
  /** The maximum number of steps that may call tools. Defaults to 8. */
  readonly maxSteps?: number | undefined
  /** The format of the final answer. Undefined if the answer is free text. */
  readonly format?: AnswerFormat | undefined
  /** Counts the usage of the steps, and returns whether another step is allowed. */
  readonly steps: StepCounter
  readonly stepTimeoutMilliseconds: number
  readonly signal: AbortSignal
  /**
   * Called with each part of the answer as it arrives. The concatenated parts equal the text of the outcome.
   */
  readonly onText?: ((delta: string) => void) | undefined
}

/** The format of an answer that is not free text. */
export interface AnswerFormat {
  readonly schema: Readonly<Record<string, unknown>>
  /** Returns the answer in its stored form, or a problem description that lets the model correct it. */
  readonly check: (text: string) => Promise<CheckedAnswer>
}

export type CheckedAnswer =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: string }

/**
 * `text` is the full text of the turn so far. Only an answer in a format consists of the text of its last
 * step.
 */
export type TextTurnOutcome =
  | {
      readonly kind: 'answered'
      readonly text: string
      /** The number of model steps. */
      readonly steps: number
    }
  | {
      readonly kind: 'failed'
      readonly detail: string
      readonly text: string
    }
  /** The answer does not match its format, even after one correction. */
  | { readonly kind: 'mismatched'; readonly detail: string; readonly text: string }
  /** A budget is used up, so the model is not called again. */
  | { readonly kind: 'spent'; readonly detail: string; readonly text: string }
  | { readonly kind: 'aborted'; readonly text: string }

/**
 * Runs a text turn: the model answers and calls tools, the tools run, and the model continues with their
 * outputs. The turn ends when the model calls no tools, or when its answer is too long. At the maximum number
 * of steps, the model is called once more without tools, so that there is an answer. An answer that does not
 * match its format is corrected once, also without tools.
 */
export async function runTextTurn(turn: TextTurn): Promise<TextTurnOutcome> {
  const answer = new AnswerText(turn.onText)
  const outcome = await runSteps(turn, answer)
  answer.close()
  return outcome
}

async function runSteps(turn: TextTurn, answer: AnswerText): Promise<TextTurnOutcome> {
  const { signal, maxSteps = defaultMaxSteps } = turn
  let messages = turn.messages
  let isCorrection = false as boolean
  const soFar = () => ({ text: answer.text })

  for (let steps = 1; !signal.aborted; steps += 1) {
    const verdict = turn.steps.verdict()
    if (!verdict.ok) return { kind: 'spent', detail: verdict.problem, ...soFar() }
    const isLast = steps > maxSteps || isCorrection
    const count = turn.steps.begin()
    const asked = await unlessAborted(
      signal,
      askModel(turn, { messages, tools: isLast ? [] : turn.tools }, answer),
    )
    if (!asked.ok) {
      // The provider was called, so its usage is unknown.
      void count(null)
      break
    }
    const step = asked.value
    answer.finishStep(step.text)
    const counted = count(step)
    if (!step.ok) return { kind: 'failed', detail: step.detail, ...soFar() }
    const judged = await judgeStep(turn, answer, { step, steps, isLast, isCorrection })
    if (judged.kind !== 'unfinished') return judged

    // Counted before the next action, so that no tool runs if this step has used up a budget.
    if (!(await unlessAborted(signal, counted)).ok) break
    const afterwards = turn.steps.verdict()
    if (!afterwards.ok) return { kind: 'spent', detail: afterwards.problem, ...soFar() }
    isCorrection = judged.problem !== null
    const next = await unlessAborted(signal, nextMessages(turn, messages, step, judged.problem))
    if (!next.ok) break
    messages = next.value
  }
  return { kind: 'aborted', ...soFar() }
}

interface JudgedStep {
  readonly step: CompleteStep
  readonly steps: number
  readonly isLast: boolean
  readonly isCorrection: boolean
}

type CompleteStep = Extract<ChatStep, { readonly ok: true }>

/** The model has called tools, or its answer has a problem that it can still correct. */
interface Unfinished {
  readonly kind: 'unfinished'
  readonly problem: string | null
}

/** Returns how the turn ends with this step, or that it continues. */
async function judgeStep(
  { format, signal }: TextTurn,
  answer: AnswerText,
  { step, steps, isLast, isCorrection }: JudgedStep,
): Promise<TextTurnOutcome | Unfinished> {
  if (step.calls.length > 0 && !isLast && !answer.isCut) return { kind: 'unfinished', problem: null }
  if (format === undefined) return { kind: 'answered', text: answer.text, steps }
  const checked = await unlessAborted(signal, format.check(step.text))
  if (!checked.ok) return { kind: 'aborted', text: answer.text }
  if (checked.value.ok) return { kind: 'answered', text: checked.value.text, steps }
  const { problem } = checked.value
  if (isCorrection || answer.isCut) return { kind: 'mismatched', detail: problem, text: answer.text }
  return { kind: 'unfinished', problem }
}

async function nextMessages(
  { callTool }: TextTurn,
  messages: readonly ChatMessage[],
  { text, calls }: CompleteStep,
  problem: string | null,
): Promise<readonly ChatMessage[]> {
  return problem === null
    ? messagesAfter(messages, text, await runCalls(calls, callTool))
    : messagesToCorrect(messages, text, problem)
}

function askModel(
  { models, target, format, maxOutputTokens, stepTimeoutMilliseconds, signal }: TextTurn,
  prompt: Pick<TextTurn, 'messages' | 'tools'>,
  answer: AnswerText,
): Promise<ChatStep> {
  return models.step({
    ...prompt,
    target,
    responseSchema: format?.schema,
    maxOutputTokens,
    timeoutMilliseconds: stepTimeoutMilliseconds,
    signal,
    onText: (delta) => answer.append(delta),
  })
}

type UnlessAborted<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false }

/**
 * Waits for the work until the signal aborts. The work may ignore the signal, because its outcome is no
 * longer used then.
 */
function unlessAborted<Value>(signal: AbortSignal, work: Promise<Value>): Promise<UnlessAborted<Value>> {
  return new Promise((resolve, reject) => {
    const onAbort = () => resolve({ ok: false })
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work
      .then((value) => resolve({ ok: true, value }), reject)
      .finally(() => signal.removeEventListener('abort', onAbort))
  })
}

interface CallOutput {
  readonly call: ChatCall
  readonly output: string
}

/**
 * Runs the calls of one step in parallel and returns their outputs in order. If the model repeats an id, the
 * call runs once, and every repetition gets the same output.
 */
function runCalls(
  calls: readonly ChatCall[],
  callTool: (call: ChatCall) => Promise<string>,
): Promise<readonly CallOutput[]> {
  const running = new Map<string, Promise<string>>()
  return Promise.all(
    calls.map(async (call) => {
      const output = running.get(call.callId) ?? callTool(call)
      running.set(call.callId, output)
      return { call, output: await output }
    }),
  )
}

/** Returns the messages for the next step: the model's text and calls, followed by one output per call. */
function messagesAfter(
  messages: readonly ChatMessage[],
  text: string,
  outputs: readonly CallOutput[],
): readonly ChatMessage[] {
  return [
    ...messages,
    { role: 'assistant', text, calls: outputs.map(({ call }) => call) },
    ...outputs.map(
      ({ call, output }): ChatMessage => ({ role: 'tool', callId: call.callId, name: call.name, output }),
    ),
  ]
}

/** Returns the messages for the correction of an answer: the rejected text, followed by the problem. */
function messagesToCorrect(
  messages: readonly ChatMessage[],
  text: string,
  problem: string,
): readonly ChatMessage[] {
  const correction = `Your answer was rejected. ${problem} Answer again with one JSON object that matches the schema, and nothing else.`
  // Providers reject messages without text.
  const rejected: ChatMessage[] = text.trim() === '' ? [] : [{ role: 'assistant', text, calls: [] }]
  return [...messages, ...rejected, { role: 'user', text: correction }]
}

const betweenSteps = '\n\n'
/**
 * The maximum length of one answer. An answer is stored, emitted, and sent to the model again with every
 * later question.
 */
const maxCharacters = 1_000_000
const truncationNote = '\n\n[Truncated: the answer exceeds the maximum length.]'

/** The text of a model over the steps of a turn. Each step begins a new paragraph. */
class AnswerText {
  readonly #onText: ((delta: string) => void) | undefined
  #text = ''
  /** The number of appended characters of the current step. */
  #stepLength = 0
  #isClosed = false
  #isCut = false

  constructor(onText: ((delta: string) => void) | undefined) {
    this.#onText = onText
  }

  get text(): string {
    return this.#text
  }

  /** Whether the answer was truncated. The model is then not called again. */
  get isCut(): boolean {
    return this.#isCut
  }

  append(delta: string): void {
    if (this.#isClosed || this.#isCut || delta === '') return
    if (this.#stepLength === 0 && this.#text !== '') this.#emit(betweenSteps)
    this.#stepLength += delta.length
    const room = Math.max(0, maxCharacters - this.#text.length)
    this.#isCut = delta.length > room
    this.#emit(this.#isCut ? `${delta.slice(0, room).toWellFormed()}${truncationNote}` : delta)
  }

  /** Ends a step. Appends text that was not contained in the deltas. */
  finishStep(text: string): void {
    this.append(text.slice(this.#stepLength))
    this.#stepLength = 0
  }

  /** Called at the end of the turn. After that, deltas from a cancelled model are dropped. */
  close(): void {
    this.#isClosed = true
  }

  #emit(delta: string): void {
    this.#text += delta
    this.#onText?.(delta)
  }
}
