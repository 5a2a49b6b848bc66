import { closeCodes } from '@parley/contract/close-codes'
import { ToolStatus } from '@parley/contract/custom-events'
import { Latency, seconds } from './latency.js'
import { harmless, type Page, short } from './page.js'
import type { EventOf, SessionEvent } from './session-event.js'

export interface TurnViewOptions {
  readonly page: Page
  readonly agent: { readonly id: string; readonly name: string }
}

/** Prints the events of a session: messages, tools, other agents and errors. */
export class TurnView {
  readonly #page: Page
  readonly #agent: TurnViewOptions['agent']
  readonly #subAgents = new Map<string, string>()
  #latency = new Latency()
  /** The error was printed already, so the failed response adds nothing. */
  #hasReportedProblem = false

  constructor({ page, agent }: TurnViewOptions) {
    this.#page = page
    this.#agent = agent
  }

  /** The prompt of the user's messages. */
  get you(): string {
    return this.#page.paint(['bold', 'green'], 'You ›')
  }

  get #agentLabel(): string {
    return this.#page.paint(['bold', 'cyan'], `${short(this.#agent.name, 40)} ›`)
  }

  /** The user has finished the question or decided an approval. */
  begin(at: number): void {
    this.#latency.begin(at)
  }

  endTurn(): void {
    this.#page.endWords()
    const times = this.#latency.describe()
    if (times !== null) this.#page.line(this.#page.paint('dim', `  (${times})`))
    this.#latency = new Latency()
    this.#hasReportedProblem = false
  }

  show(event: SessionEvent, at: number): void {
    switch (event.type) {
      case 'conversation.item.input_audio_transcription.completed':
        if (event.status === 'in_progress') return
        return this.#page.line(`${this.you} ${harmless(event.transcript).trim()}`)
      case 'conversation.item.input_audio_transcription.failed':
        return this.problem(`Speech recognition failed. ${event.error.message ?? ''}`)
      case 'response.output_audio_transcript.delta':
      case 'response.output_text.delta':
        this.#latency.word(at)
        return this.#page.words(this.#agentLabel, harmless(event.delta))
      case 'response.output_audio.delta':
        return this.#latency.audio(at)
      case 'response.done':
        return this.#showResponseEnd(event.response)
      case 'response.function_invocation.start':
        return this.#showToolStart(event.data)
      case 'response.function_invocation.done':
        return this.#showToolEnd(event.data)
      case 'approval.approved':
        return this.#page.line(this.#page.paint('green', '  ✓ approved'))
      case 'approval.expired':
        return this.#page.line(this.#page.paint('yellow', '  ✗ approval expired'))
      case 'subagent.start':
        this.#subAgents.set(event.data.id, event.data.name)
        return this.#page.line(this.#page.paint('magenta', `  → asks ${short(event.data.name, 40)}`))
      case 'subagent.done':
        return this.#showSubAgentEnd(event.data.chatbotId)
      case 'error':
        return this.#showError(event.error)
    }
  }

  problem(message: string): void {
    this.#page.line(this.#page.paint('red', `  ! ${short(message, 400)}`))
  }

  #showResponseEnd({ status, status_details }: EventOf<'response.done'>['response']): void {
    this.#page.endWords()
    if (status === 'failed') this.#showFailure(status_details?.error?.message)
    if (status === 'incomplete')
      this.problem(`The answer is incomplete: ${status_details?.reason ?? 'no reason given'}.`)
  }

  #showFailure(message: string | null | undefined): void {
    if (message != null) this.problem(message)
    else if (!this.#hasReportedProblem) this.problem('The model failed without giving a reason.')
  }

  #showToolStart(tool: EventOf<'response.function_invocation.start'>['data']): void {
    const given =
      tool.arguments === '{}' ? '' : ` ${this.#page.paint('dim', describeArguments(tool.arguments))}`
    this.#page.line(`${this.#page.paint('yellow', `  ⚙ ${this.#titleOf(tool)}`)}${given}`)
  }

  #showToolEnd(tool: EventOf<'response.function_invocation.done'>['data']): void {
    const hasSucceeded = tool.status === ToolStatus.Success
    const time = tool.executionTimeSeconds > 0 ? `, ${seconds(tool.executionTimeSeconds)}` : ''
    const head = hasSucceeded ? `  ✓ ${this.#titleOf(tool)}` : `  ✗ ${this.#titleOf(tool)} failed`
    const result = tool.text === '' ? '' : this.#page.paint('dim', `: ${short(tool.text)}`)
    this.#page.line(`${this.#page.paint(hasSucceeded ? 'green' : 'red', `${head}${time}`)}${result}`)
  }

  #titleOf({ title, chatbotId }: { readonly title: string; readonly chatbotId: string }): string {
    const subAgent = chatbotId === this.#agent.id ? undefined : this.#subAgents.get(chatbotId)
    return short(subAgent === undefined ? title : `${subAgent}: ${title}`, 80)
  }

  #showSubAgentEnd(id: string): void {
    const name = short(this.#subAgents.get(id) ?? 'The other agent', 40)
    this.#page.line(this.#page.paint('magenta', `  ← ${name} answered`))
  }

  #showError({ type, code, message }: EventOf<'error'>['error']): void {
    // The reason is printed once, when the session has ended.
    if (type === 'service_error' && code != null && Object.hasOwn(closeCodes, code)) return
    this.#hasReportedProblem = true
    this.problem(message)
  }
}

/** Formats `{"title":"Water the plants"}` as title: Water the plants. */
export function describeArguments(json: string): string {
  try {
    const given: unknown = JSON.parse(json)
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return short(json)
    const parts = Object.entries(given).map(
      ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    )
    return short(parts.join(', '))
  } catch {
    return short(json)
  }
}
