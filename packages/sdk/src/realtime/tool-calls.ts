import type { SessionEvent } from './session-event.js'

/** A tool call, run by the service or by this client. */
export interface ToolCall {
  readonly callId: string
  readonly name: string
  readonly title: string
  readonly imageUrl: string | null
  /** The model's arguments as JSON text. */
  readonly argumentsText: string
  readonly isOfClient: boolean
  /** `unknown` if the session ended before the outcome came. */
  readonly status: 'running' | 'waiting' | 'done' | 'failed' | 'unknown'
  /** The result for display. `null` if there is none yet. */
  readonly text: string | null
  readonly button: { readonly label: string | null; readonly link: string | null } | null
}

export type ToolCalls = readonly ToolCall[]

const statuses = { success: 1 } as const

/** The service's report on its calls. */
export function stepToolCalls(calls: ToolCalls, event: SessionEvent): ToolCalls {
  switch (event.type) {
    case 'response.function_invocation.start': {
      const { callId, functionName, title, imageUrl, approvalRequired } = event.data
      const started: ToolCall = {
        callId,
        name: functionName,
        title,
        imageUrl,
        argumentsText: event.data.arguments,
        isOfClient: false,
        status: approvalRequired ? 'waiting' : 'running',
        text: null,
        button: null,
      }
      return put(calls, started)
    }
    case 'approval.approved':
      return edit(calls, event.data.callId, { status: 'running' })
    case 'response.function_invocation.done': {
      const { callId, status, text, button, buttonLabel, buttonLink } = event.data
      return edit(calls, callId, {
        status: status === statuses.success ? 'done' : 'failed',
        text,
        button: button ? { label: buttonLabel, link: buttonLink } : null,
      })
    }
    default:
      return calls
  }
}

/** A call of a client tool began or changed. */
export function putClientCall(calls: ToolCalls, call: ToolCall): ToolCalls {
  return put(calls, call)
}

/** The session has ended. Running calls may finish, but this session no longer reports it. Pending calls are announced again. */
export function endCalls(calls: ToolCalls): ToolCalls {
  if (calls.every(({ status }) => status !== 'running')) return calls
  return calls.map((call) => (call.status === 'running' ? { ...call, status: 'unknown' } : call))
}

function put(calls: ToolCalls, call: ToolCall): ToolCalls {
  const index = calls.findIndex(({ callId }) => callId === call.callId)
  return index < 0 ? [...calls, call] : calls.with(index, call)
}

function edit(calls: ToolCalls, callId: string, fields: Partial<ToolCall>): ToolCalls {
  const call = calls.find((known) => known.callId === callId)
  return call === undefined ? calls : put(calls, { ...call, ...fields })
}
