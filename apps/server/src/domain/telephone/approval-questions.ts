import { BoundedMap } from '../../concurrency/bounded-map.js'
import type { CalledTool } from './session-client.js'

/** The maximum number of tool calls that are remembered. More do not wait at the same time. */
const maxCalls = 50
/** The maximum length of the arguments in a question. */
const maxArguments = 500

/** The questions for decisions on tool calls. They name the call, because several may wait at the same time. */
export class ApprovalQuestions {
  readonly #calls = new BoundedMap<string, CalledTool>(maxCalls)

  /** Called when the model calls a tool. */
  note(call: CalledTool): void {
    this.#calls.set(call.callId, call)
  }

  /** Returns the text that makes the model ask for a decision. */
  questionOf(callId: string): string {
    const call = this.#calls.get(callId)
    const action =
      call === undefined
        ? 'This action'
        : `The call of ${call.name} with ${call.arguments.slice(0, maxArguments)}`
    return `[${action} needs the approval of the user. Explain it, and ask the user to press 1 to approve or 2 to reject.]`
  }
}
