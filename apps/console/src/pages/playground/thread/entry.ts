/** A message of one side, as known so far. */
export interface MessageEntry {
  readonly kind: 'message'
  readonly id: string
  readonly role: 'user' | 'assistant'
  readonly text: string
  readonly channel: 'text' | 'realtime'
  /** Whether the text is complete. */
  readonly isFinal: boolean
  readonly isInterrupted: boolean
  /** Why text is missing or incomplete. */
  readonly failure: string | null
  readonly files: readonly string[]
}

export type CallStatus = 'running' | 'waiting' | 'done' | 'failed' | 'unknown'

/** A tool call or a question to another agent. */
export interface Call {
  readonly kind: 'call'
  readonly id: string
  readonly callId: string
  readonly name: string
  readonly title: string
  /** Arguments as JSON text. Empty until known. */
  readonly argumentsText: string
  readonly status: CallStatus
  /** The result as text, or null. */
  readonly result: string | null
  readonly seconds: number | null
  /** The approval's deadline in this machine's clock (ms), or null. */
  readonly deadline: number | null
  /** The other agent's id, for a question to an agent. */
  readonly agentId: string | null
  /** The name of the other agent that made the call. */
  readonly by: string | null
  readonly button: { readonly label: string; readonly link: string } | null
}

/** A notice of the page between messages. */
export interface Note {
  readonly kind: 'note'
  readonly id: string
  readonly text: string
  readonly isProblem: boolean
}

export type Entry = MessageEntry | Call | Note

export const callEntryId = (callId: string) => `call-${callId}`

export function newMessageEntry(
  fields: Pick<MessageEntry, 'id' | 'role' | 'channel'> & Partial<MessageEntry>,
): MessageEntry {
  return {
    kind: 'message',
    text: '',
    isFinal: false,
    isInterrupted: false,
    failure: null,
    files: [],
    ...fields,
  }
}

export function newCall(fields: Pick<Call, 'callId' | 'name' | 'title'> & Partial<Call>): Call {
  return {
    kind: 'call',
    id: callEntryId(fields.callId),
    argumentsText: '',
    status: 'running',
    result: null,
    seconds: null,
    deadline: null,
    agentId: null,
    by: null,
    button: null,
    ...fields,
  }
}
