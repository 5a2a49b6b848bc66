/** What one side said or typed, as far as it is known. */
export interface Words {
  readonly kind: 'words'
  readonly id: string
  readonly role: 'user' | 'assistant'
  readonly text: string
  readonly channel: 'text' | 'realtime'
  /** Whether nothing will be added to the text. */
  readonly isFinal: boolean
  readonly isInterrupted: boolean
  /** Why there are no words, or not all of them. */
  readonly failure: string | null
  /** Names of the files that were given with it. */
  readonly files: readonly string[]
}

export type CallStatus = 'running' | 'waiting' | 'done' | 'failed' | 'unknown'

/** A tool that is called, or another agent that is asked. */
export interface Call {
  readonly kind: 'call'
  readonly id: string
  readonly callId: string
  readonly name: string
  readonly title: string
  /** As the model gave them: JSON text; empty while they are not known. */
  readonly argumentsText: string
  readonly status: CallStatus
  /** The result, for a person to read; null while there is none. */
  readonly result: string | null
  readonly seconds: number | null
  /** When the decision is due, in milliseconds of this machine's clock; null where none is waited for. */
  readonly deadline: number | null
  /** The other agent's id, where one is asked. */
  readonly agentId: string | null
  /** The other agent's name, where it is that agent's call. */
  readonly by: string | null
  readonly button: { readonly label: string; readonly link: string } | null
}

/** What the page itself has to say between the words. */
export interface Note {
  readonly kind: 'note'
  readonly id: string
  readonly text: string
  readonly isProblem: boolean
}

export type Entry = Words | Call | Note

export const callEntryId = (callId: string) => `call-${callId}`

export function newWords(fields: Pick<Words, 'id' | 'role' | 'channel'> & Partial<Words>): Words {
  return {
    kind: 'words',
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
