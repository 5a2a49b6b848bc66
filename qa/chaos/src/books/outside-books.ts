/* The records of the parts outside the service: the provider, the tools and the webhook receivers. */

/** Words that the provider sent: its own, or its transcript of the user's. */
export interface SaidWords {
  /** The position in this connection. */
  readonly number: number
  readonly role: 'user' | 'assistant'
  readonly at: number
}

export interface SaidCall {
  readonly callId: string
  /** The argument with which the tool's endpoint is called. */
  readonly effect: string
  readonly at: number
}

export interface HeardOutput {
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
  readonly words: readonly SaidWords[]
  readonly calls: readonly SaidCall[]
  readonly outputs: readonly HeardOutput[]
}

/** A request that reached a tool. */
export interface EffectEntry {
  readonly effect: string
  readonly at: number
}

export interface OutsideBooks {
  readonly connections: readonly ProviderConnectionEntry[]
  readonly effects: readonly EffectEntry[]
  /** How often each delivery was accepted, by `type id`. */
  readonly delivered: Readonly<Record<string, number>>
  readonly refusedDeliveries: number
  readonly modelSteps: number
}

/** Returns the words that identify the speaker, the session and the position in it. */
export const wordsOf = (key: string, { number, role }: Pick<SaidWords, 'number' | 'role'>) =>
  `${key} #${number} ${role === 'user' ? 'asks' : 'answers'}`

/** Returns the session and the position that the words identify, or null for other words. */
export function parseWords(content: string): { readonly key: string; readonly number: number } | null {
  const found = /^(\S+) #(\d+) (?:asks|answers)$/.exec(content)
  return found ? { key: found[1] ?? '', number: Number(found[2]) } : null
}
