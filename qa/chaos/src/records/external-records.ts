/* The records of the parts outside the service: the provider, the tools and the webhook receivers. */

/** Words that the provider sent: its own, or its transcript of the user's. */
export interface SpokenMessage {
  /** The position in this connection. */
  readonly number: number
  readonly role: 'user' | 'assistant'
  readonly at: number
}

export interface SentCall {
  readonly callId: string
  /** The argument with which the tool's endpoint is called. */
  readonly effect: string
  readonly at: number
}

export interface ReceivedOutput {
  readonly callId: string
  /** Whether the output is part of the replayed history and not the answer to a waiting call. */
  readonly isReplayed: boolean
  readonly at: number
}

/** One connection from the service to the provider. */
export interface ProviderConnectionEntry {
  /** The key of the load's session, or empty if the service never sent it. */
  readonly key: string
  readonly openedAt: number
  readonly closedAt: number | null
  readonly words: readonly SpokenMessage[]
  readonly calls: readonly SentCall[]
  readonly outputs: readonly ReceivedOutput[]
}

/** A request that reached a tool. */
export interface EffectEntry {
  readonly effect: string
  readonly at: number
}

export interface ExternalRecords {
  readonly connections: readonly ProviderConnectionEntry[]
  readonly effects: readonly EffectEntry[]
  /** How often each delivery was accepted, by `type id`. */
  readonly delivered: Readonly<Record<string, number>>
  readonly rejectedDeliveries: number
  readonly modelSteps: number
}

/** Returns the words that identify the speaker, the session and the position in it. */
export const wordsOf = (key: string, { number, role }: Pick<SpokenMessage, 'number' | 'role'>) =>
  `${key} #${number} ${role === 'user' ? 'asks' : 'answers'}`

/** Returns the session and the position that the words identify, or null for other words. */
export function parseWords(content: string): { readonly key: string; readonly number: number } | null {
  const found = /^(\S+) #(\d+) (?:asks|answers)$/.exec(content)
  return found ? { key: found[1] ?? '', number: Number(found[2]) } : null
}
